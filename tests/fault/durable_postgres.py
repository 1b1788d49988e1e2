"""A durable Postgres that tests stop and crash as they like."""

import os
import signal
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil

from assent.db.embedded import EmbeddedPostgres, Running


class DurablePostgres:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._postgres = EmbeddedPostgres(folder)
        self._running: Running | None = None

    def start(self) -> None:
        self._postgres = EmbeddedPostgres(self._folder)
        self._running = self._postgres.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        assert self._running is not None
        server = psutil.Process(self._running.pid)
        os.kill(self._running.pid, how)
        server.wait(20)
        self._postgres.stop()

    def url(self, database: str) -> str:
        assert self._running is not None
        return urlunsplit(urlsplit(self._running.url)._replace(path=f"/{database}"))
