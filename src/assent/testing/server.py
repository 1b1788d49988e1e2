"""A whole server in the test's own event loop: real sockets, real Postgres."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.types import ASGIApp

from assent.db.database import Database
from assent.identity.first_start import make_first_link
from assent.main import create_app, find_public_url, prepare
from assent.mcp_server.extension import Extension
from assent.plugins.load import Loaded
from assent.serve import open_listener
from assent.settings import Settings
from assent.testing.client import Client
from assent.vault.master_key import open_key_source
from assent.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class RunningServer:
    url: str
    app: FastAPI
    settings: Settings
    _stack: AsyncExitStack = field(repr=False)

    @property
    def database(self) -> Database:
        return self.app.state.parts.database

    async def open_client(self, *, key: str | None = None) -> Client:
        """A client with its own cookies; closed with the server."""
        return await self._stack.enter_async_context(Client(self.url, key=key))

    async def open_admin(self) -> Client:
        """A client that is signed in as the first admin."""
        link = await make_first_link(self.database, always=True)
        assert link is not None  # noqa: S101 - `run_server` has made the first admin
        client = await self.open_client()
        response = await client.get(f"/login?token={link.token}")
        assert response.status_code == 303, response.text  # noqa: S101 - the test's own step
        return client


def _as_it_is(app: ASGIApp) -> ASGIApp:
    return app


@asynccontextmanager
async def run_server(
    database_url: str,
    *,
    loaded: Loaded | None = None,
    demo: bool = False,
    mcp_extension: Extension | None = None,
    wrap: Callable[[ASGIApp], ASGIApp] = _as_it_is,
    **settings: object,
) -> AsyncGenerator[RunningServer]:
    """Serve on a free port until the body ends. `settings` are those of `Settings`.

    `wrap` puts something around the application, as a proxy would.
    """
    given: dict[str, object] = {
        "database_url": SecretStr(database_url),
        "master_key": SecretStr(secrets.token_hex(32)),
        "port": 0,
        "shutdown_seconds": 0,
        "sandbox": "off",
        **settings,
    }
    wanted = Settings.model_validate(given)
    listener = open_listener(wanted)
    wanted = wanted.model_copy(update={"port": listener.getsockname()[1]})
    app = create_app(wanted, loaded=loaded, mcp_extension=mcp_extension)
    config = uvicorn.Config(wrap(app), log_config=None, access_log=False, lifespan="on")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            if serving.done():
                await serving
            await asyncio.sleep(0.01)
        await prepare(
            app.state.parts.database,
            settings=wanted,
            loaded=app.state.parts.loaded,
            vault=Vault(open_key_source(wanted)),
            demo=demo,
        )
        async with AsyncExitStack() as stack:
            yield RunningServer(find_public_url(wanted), app, wanted, stack)
    finally:
        app.state.leave()
        server.should_exit = True
        await serving
