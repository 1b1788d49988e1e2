"""The Postgres that Assent brings along: one server per data folder, owned by one process.

The owner holds a lock on the folder as long as it lives and starts and stops the server; others
attach. Knows nothing of tables, pools or settings.
"""

import fcntl
import os
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assent.db.binaries import copy_binaries, find_binaries, load_major
from assent.db.cluster import make_socket_folder, open_folder, prepare_cluster
from assent.db.operating_system import (
    DIES_WITH_OWNER,
    Account,
    choose_account,
    find_closed_folder,
    start_program,
    works_in,
)
from assent.db.postmaster import (
    PID_FILE,
    PORT,
    Postmaster,
    answers,
    create_database,
    find_postmaster,
    read_postmaster,
    stop_postmaster,
)
from assent.errors import ConfigurationError

DURABLE = ("max_connections=100", "shared_buffers=128MB")
FAST = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "autovacuum=off",
    "max_connections=200",
    "shared_buffers=64MB",
)
ATTACH_PATIENCE = 30.0
# Recovery after a crash can take minutes; killing it would only make it start over.
START_PATIENCE = 600.0
LARGEST_LOG = 10_000_000
SHOWN_LOG_LINES = 15


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers, and whether stopping it is our business."""

    url: str
    pid: int
    owned: bool


class EmbeddedPostgres:
    """Starts, adopts or attaches to the server of one folder."""

    def __init__(self, folder: Path, *, binaries: Path | None = None, durable: bool = True) -> None:
        self._folder = folder.resolve()
        self._data = self._folder / "data"
        self._log = self._folder / "server.log"
        self._binaries = binaries
        self._settings = DURABLE if durable else FAST
        self._durable = durable
        self._lock_file = self._folder / "server.lock"
        self._lock: int | None = None
        self._running: Running | None = None
        self._end: Callable[[], None] | None = None

    def start(self, *, attach: bool = False) -> Running:
        """Return a server that answers. With `attach`, one that another process owns will do."""
        if DIES_WITH_OWNER and threading.current_thread() is not threading.main_thread():
            raise RuntimeError("The server would end with this thread: start it from the main one.")
        if self._running is not None:
            return self._running
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._attach() if attach else self._own()
        except OSError as error:
            where, why = error.filename or self._folder, error.strerror or error
            raise ConfigurationError(f"Postgres cannot be started: {where}: {why}.") from error

    def stop(self) -> None:
        """Stop the server if we own it, and give the folder free. May be called at any time."""
        self._running = None
        if self._end is not None:
            self._end()
            self._end = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _own(self) -> Running:
        if not self._take_lock():
            raise ConfigurationError(
                f"Another Assent server{self._name_owner()} already uses {self._folder}. Stop it, "
                "or give this one its own --data-dir or a --database-url."
            )
        return self._run()

    def _attach(self) -> Running:
        deadline = time.monotonic() + ATTACH_PATIENCE
        while not self._take_lock():
            server = read_postmaster(self._data)
            if server is not None and server.is_ready and answers(server):
                return Running(server.url(), server.pid, owned=False)
            if time.monotonic() > deadline:
                raise ConfigurationError(
                    f"Another Assent server{self._name_owner()} uses {self._folder}, but its "
                    f"Postgres does not answer. See {self._log}."
                )
            time.sleep(0.05)
        return self._run()

    def _run(self) -> Running:
        try:
            server = self._adopt() or self._launch()
            create_database(server)
        except BaseException:
            self.stop()
            raise
        self._running = Running(server.url(), server.pid, owned=True)
        return self._running

    def _adopt(self) -> Postmaster | None:
        """Take a server that outlived its owner, or see to its end and return nothing.

        Where a server dies with its owner, the signal to do so may still be on its way to one
        that answers, so only the other systems adopt.
        """
        orphan = find_postmaster(self._data)
        if orphan is None:
            return None
        end = partial(stop_postmaster, orphan.pid, lambda: not works_in(orphan.pid, self._data))
        if DIES_WITH_OWNER or not self._suits(orphan):
            end()
            return None
        self._end = end
        return orphan

    def _suits(self, orphan: Postmaster) -> bool:
        started_with = (self._data / "postmaster.opts").read_text(errors="surrogateescape")
        same = all(f'"{setting}"' in started_with for setting in self._settings)
        return same and orphan.is_ready and answers(orphan)

    def _launch(self) -> Postmaster:
        account = choose_account()
        binaries = find_binaries(self._binaries)
        major = load_major(binaries)
        open_folder(self._folder, account)
        if account.is_other and find_closed_folder(binaries, account) is not None:
            binaries = copy_binaries(binaries, self._folder / "programs")
        prepare_cluster(
            self._data, binaries=binaries, major=major, account=account, durable=self._durable
        )
        sockets = make_socket_folder(self._folder, account)
        # The pid in a file left by a crash may by now be that of some other living process, and
        # Postgres would refuse to start. That no server lives here was checked under the lock.
        (self._data / PID_FILE).unlink(missing_ok=True)
        return self._start_server(binaries / "postgres", sockets, account)

    def _start_server(self, program: Path, sockets: Path, account: Account) -> Postmaster:
        options = ["-D", self._data, "-h", "", "-p", str(PORT), "-k", sockets]
        for setting in ("unix_socket_permissions=0700", *self._settings):
            options += ["-c", setting]
        if self._log.exists() and self._log.stat().st_size > LARGEST_LOG:
            self._log.replace(self._log.with_suffix(".log.1"))
        with open(self._log, "ab", opener=partial(os.open, mode=0o600)) as log:
            log_start = log.tell()
            process = start_program([program, *options], account, log)
        self._end = partial(stop_postmaster, process.pid, lambda: process.poll() is not None)
        return self._await_ready(process, log_start)

    def _await_ready(self, process: subprocess.Popen[bytes], log_start: int) -> Postmaster:
        deadline = time.monotonic() + START_PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            server = read_postmaster(self._data)
            if server is not None and server.pid == process.pid and server.is_ready:
                return server
            time.sleep(0.005)
        with self._log.open("rb") as log:
            log.seek(log_start)
            lines = log.read().decode(errors="replace").splitlines()[-SHOWN_LOG_LINES:]
        raise ConfigurationError("\n".join(["Postgres did not start. It says:", *lines]))

    def _take_lock(self) -> bool:
        # Opened close-on-exec: a Postgres that survives us must not go on holding the lock.
        lock = os.open(self._lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            if isinstance(error, BlockingIOError):
                return False
            raise
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        self._lock = lock
        return True

    def _name_owner(self) -> str:
        owner = self._lock_file.read_text()
        return f" (process {owner})" if owner else ""
