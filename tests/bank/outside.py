"""The other bank: a small server that remembers which transfers reached it."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


@dataclass
class OtherBank:
    """While `answering` is not set, transfers arrive and get no answer."""

    url: str = ""
    transfers: Counter[str] = field(default_factory=Counter[str])
    answering: asyncio.Event = field(default_factory=asyncio.Event)

    async def transfer(self, request: Request) -> JSONResponse:
        key = request.path_params["key"]
        if request.method == "POST":
            self.transfers[key] += 1
            await self.answering.wait()
        if not self.transfers[key]:
            return JSONResponse({}, 404)
        return JSONResponse({"key": key})


@asynccontextmanager
async def open_other_bank() -> AsyncGenerator[OtherBank]:
    bank = OtherBank()
    bank.answering.set()
    app = Starlette(routes=[Route("/transfers/{key}", bank.transfer, methods=["GET", "POST"])])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        bank.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            while not server.started:
                if serving.done():
                    await serving
                await asyncio.sleep(0.01)
            yield bank
        finally:
            bank.answering.set()
            server.should_exit = True
            await serving
