"""Server processes: the embedded Postgres, the socket, signals, one process or several."""

import asyncio
import os
import signal
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

import click
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr
from uvicorn.supervisors import Multiprocess

from assent.db.embedded import EmbeddedPostgres
from assent.errors import ConfigurationError
from assent.identity.first_start import make_first_link
from assent.logs import configure_logging
from assent.main import (
    build_telemetry,
    create_app,
    find_public_url,
    load_all_plugins,
    open_own_database,
    open_parts,
    prepare,
    working,
)
from assent.monitoring import monitoring
from assent.settings import PREFIX, Settings, load_settings
from assent.vault.master_key import open_key_source
from assent.vault.vault import Vault

LAST_SECONDS = 7
"""For stopping what did not end by itself, and for the last answers."""
READY_SECONDS = 60
CHILD_SETTINGS = ("host", "port", "data_dir", "database_url", "master_key_file", "public_url")


def serve(settings: Settings) -> None:
    """Run until a signal comes; then let requests and work finish, and stop Postgres last."""
    embedded = settings.embedded
    with _interruptible(), open_postgres(settings, attach=False) as resolved:
        listener = open_listener(resolved)
        resolved = resolved.model_copy(update={"port": listener.getsockname()[1]})
        address = asyncio.run(_prepare_and_greet(resolved, embedded=embedded))

        def announce() -> None:
            click.echo(address)
            sys.stdout.flush()

        if resolved.workers == 1:
            _run_one(resolved, listener, announce)
        else:
            _run_many(resolved, listener, announce)


def work(settings: Settings) -> None:
    """Do background work only, until a signal comes."""
    with _interruptible(), open_postgres(settings, attach=True) as resolved:
        asyncio.run(_work(resolved))


@contextmanager
def open_postgres(settings: Settings, *, attach: bool) -> Generator[Settings]:
    """Give settings that name a database which answers, started here if need be."""
    if not settings.embedded:
        open_key_source(settings).ring()
        yield settings
        return
    postgres = EmbeddedPostgres(settings.data_dir / "postgres", binaries=settings.postgres_binaries)
    running = postgres.start(attach=attach)
    try:
        keys = open_key_source(settings)
        update: dict[str, object] = {"database_url": SecretStr(running.url)}
        if keys.path is not None:
            update["master_key_file"] = keys.path
        yield settings.model_copy(update=update)
    finally:
        postgres.stop()


def open_listener(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Without the protocol asyncio leaves Nagle's algorithm on: 40 ms more for every answer.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise ConfigurationError(
            f"Cannot listen on {settings.host} port {settings.port}: {error.strerror}. "
            "Choose another with --port."
        ) from error
    listener.set_inheritable(True)
    return listener


class QuietServer(uvicorn.Server):
    """Says when it is ready, and leaves it to us what happens after a signal."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in handled}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def create_child_app() -> FastAPI:
    """The application of one of several server processes: it ends when its parent does."""
    configure_logging(load_settings(os.environ))
    threading.Thread(target=_follow_parent, args=(os.getppid(),), daemon=True).start()
    return create_app(load_settings(os.environ))


def _run_one(settings: Settings, listener: socket.socket, announce: Callable[[], None]) -> None:
    config = _configure(settings, create_app(settings))
    QuietServer(config, announce).run(sockets=[listener])


def _run_many(settings: Settings, listener: socket.socket, announce: Callable[[], None]) -> None:
    os.environ.update(_export(settings))
    config = _configure(settings, "assent.serve:create_child_app")
    threading.Thread(target=_announce_when_ready, args=(settings, announce), daemon=True).start()
    Multiprocess(config, sockets=[listener]).run()


def _configure(settings: Settings, app: FastAPI | str) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=settings.shutdown_seconds + LAST_SECONDS,
    )


async def _prepare_and_greet(settings: Settings, *, embedded: bool) -> str:
    """Bring the database up to date and say where to go: the first line that people see."""
    loaded = load_all_plugins(settings)
    vault = Vault(open_key_source(settings))
    database = await open_own_database(settings, pool_size=2)
    try:
        await prepare(
            database,
            settings=settings,
            loaded=loaded,
            vault=vault,
            demo=embedded and settings.demo,
        )
        link = await make_first_link(database, always=embedded)
    finally:
        await database.close()
    url = find_public_url(settings)
    return f"Open {url}/login?token={link.token}" if link else f"Ready at {url}"


async def _work(settings: Settings) -> None:
    loaded, telemetry = load_all_plugins(settings), build_telemetry(settings)
    vault = Vault(open_key_source(settings))
    database = await open_own_database(settings)
    stop = asyncio.Event()
    try:
        await prepare(database, settings=settings, loaded=loaded, vault=vault, demo=False)
        for one in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(one, stop.set)
        async with (
            open_parts(
                database, settings=settings, loaded=loaded, vault=vault, telemetry=telemetry
            ) as parts,
            monitoring(parts),
            working(parts, stop),
        ):
            click.echo("Working.")
            await stop.wait()
    finally:
        await database.close()
        await asyncio.to_thread(telemetry.close)


@contextmanager
def _interruptible() -> Generator[None]:
    """Let SIGTERM and Ctrl-C end the program the same way: cleanly, at any moment."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    with suppress(KeyboardInterrupt):
        yield
    click.echo("Stopped.")


def _export(settings: Settings) -> dict[str, str]:
    """What the server processes need to know beyond what they can read themselves."""
    exported: dict[str, str] = {}
    for name in CHILD_SETTINGS:
        value = getattr(settings, name)
        if value is not None:
            text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
            exported[PREFIX + name.upper()] = text
    return exported


def _follow_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def _announce_when_ready(settings: Settings, announce: Callable[[], None]) -> None:
    url = find_public_url(settings.model_copy(update={"public_url": None})) + "/readyz"
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - our own address
                announce()
                return
        except OSError:
            time.sleep(0.1)
