"""Server processes: the embedded Postgres, the socket, signals, one process or several."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import click
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr
from uvicorn.supervisors import Multiprocess

from assent.db.embedded import EmbeddedPostgres
from assent.db.operating_system import raise_open_files
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
from assent.vault.scrubbing import build_hiding
from assent.vault.vault import Vault

LAST_SECONDS = 7
"""For stopping what did not end by itself, and for the last answers."""
READY_SECONDS = 60
KEEP_ALIVE_SECONDS = 75
"""Longer than usual proxies keep a connection: whoever closes first cuts nobody off."""
LAST_REQUEST_SECONDS = 1.0
"""For requests on connections that were made before the socket closed."""
UNSENT_BYTES = 128 * 1024
"""What the kernel keeps for a connection that is slow to take it, instead of megabytes."""
CHILD_SETTINGS = ("host", "port", "data_dir", "database_url", "master_key_file", "public_url")
NEW_OBJECTS = 10_000


def serve(settings: Settings) -> None:
    """Run until a signal comes; then let requests and work finish, and stop Postgres last."""
    raise_open_files()
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
    raise_open_files()
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
    _bound_unread(listener, settings.unread_seconds)
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


def _bound_unread(listener: socket.socket, seconds: int) -> None:
    """What connections inherit: they hold little that nobody takes, and not for ever.

    Left to the kernel, because it sees who takes nothing at no cost. Not every system has both.
    """
    for name, value in (
        ("TCP_NOTSENT_LOWAT", UNSENT_BYTES),
        ("TCP_USER_TIMEOUT", seconds * 1000),
    ):
        option = getattr(socket, name, None)
        if option is not None:
            listener.setsockopt(socket.IPPROTO_TCP, option, value)


class QuietServer(uvicorn.Server):
    """Says when it is ready, and leaves it to us what happens after a signal."""

    def __init__(
        self, config: uvicorn.Config, leave: "Leave", announce: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._leave = leave
        self._announce = announce

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._leave(lambda: uvicorn.Server.handle_exit(self, sig, frame))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._leave.drain_seconds:
            await self._take_last_connections(sockets or [])
        await super().shutdown(sockets)

    async def _take_last_connections(self, listeners: list[socket.socket]) -> None:
        """Whoever reached this process before its socket closed gets an answer.

        Closing it would reset those whom the kernel has let in and we have not seen yet: the socket
        is kept under another number until none is left.
        """
        kept = [one.dup() for one in listeners]
        for server in self.servers:
            server.close()
        for one in listeners:
            one.close()
        await asyncio.sleep(0.1)
        last: list[socket.socket] = []
        for one in kept:
            one.setblocking(False)
            with suppress(BlockingIOError):
                while True:
                    last.append(one.accept()[0])
            one.close()
        for one in last:
            await asyncio.get_running_loop().connect_accepted_socket(self._build_protocol, one)
        await asyncio.sleep(LAST_REQUEST_SECONDS)

    def _build_protocol(self) -> asyncio.Protocol:
        build: Any = self.config.http_protocol_class
        return build(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {one: signal.signal(one, self.handle_exit) for one in handled}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


class Leave:
    """What a signal does: at once nothing new is taken, and after a while the server ends.

    Until then it answers as ever, and says that it is leaving. A second signal ends it at once.
    """

    def __init__(self, app: FastAPI, *, drain_seconds: float) -> None:
        self._app = app
        self._is_leaving = False
        self.drain_seconds = drain_seconds

    def __call__(self, end: Callable[[], object]) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(self._app.state.leave)
        if self._is_leaving or not self.drain_seconds:
            end()
        else:
            loop.call_soon_threadsafe(loop.call_later, self.drain_seconds, end)
        self._is_leaving = True


def create_child_app() -> FastAPI:
    """The application of one of several server processes: it ends when its parent does."""
    settings = load_settings(os.environ)
    configure_logging(settings, build_hiding(settings))
    threading.Thread(target=_follow_parent, args=(os.getppid(),), daemon=True).start()
    app = create_app(settings)
    keep_what_is_loaded()
    _tell_of_signals(Leave(app, drain_seconds=settings.drain_seconds))
    return app


def keep_what_is_loaded() -> None:
    """Modules and the application stay for ever: the collector need not look at them again.

    A request makes more than the 700 objects after which it would look at what is new: it waits
    for several (docs/decisions/0010).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 10, 10)


def _tell_of_signals(leave: Leave) -> None:
    """Where the server is not ours to extend: the first to hear of a signal, then it does."""
    for one in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(one)

        def hear(number: int, frame: FrameType | None, before: Any = before) -> None:
            if callable(before):
                leave(lambda: before(number, frame))

        signal.signal(one, hear)


def _run_one(settings: Settings, listener: socket.socket, announce: Callable[[], None]) -> None:
    app = create_app(settings)
    keep_what_is_loaded()
    leave = Leave(app, drain_seconds=settings.drain_seconds)
    QuietServer(_configure(settings, app), leave, announce).run(sockets=[listener])


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
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
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
            monitoring(parts, stop),
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
