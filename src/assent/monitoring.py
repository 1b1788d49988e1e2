"""A port of its own for what monitors ask: workers have no other, and of several server processes
behind one port a scrape would meet a different one each time.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import uvicorn

from assent.api.app import build_monitor_app
from assent.api.parts import Parts
from assent.errors import ConfigurationError

TRIED = 100

log = logging.getLogger("assent.monitor")


@asynccontextmanager
async def monitoring(parts: Parts, leaving: asyncio.Event) -> AsyncGenerator[None]:
    """Answer until the body ends, if a port is set."""
    if parts.settings.metrics_port is None:
        yield
        return
    listener = open_first_free(parts.settings.host, parts.settings.metrics_port)
    log.info("Measurements are on port %s.", listener.getsockname()[1])
    server = _Server(
        uvicorn.Config(
            build_monitor_app(parts, leaving), log_config=None, access_log=False, lifespan="off"
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listener]), name="monitoring")
    try:
        yield
    finally:
        server.should_exit = True
        await serving


def open_first_free(host: str, first: int) -> socket.socket:
    """Processes that are started alike do not have to be told apart."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(first, min(first + TRIED, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError:
            listener.close()
            continue
        return listener
    raise ConfigurationError(f"No port from {first} on is free on {host} for measurements.")


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals are for whoever started this."""
        yield
