"""A real `assent` process for tests: started, watched, signalled, killed."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.patience import PATIENCE


class ServerProcess:
    def __init__(self, *arguments: str, folder: Path, **environment: str) -> None:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("ASSENT_")}
        self._log = folder / f"server-{time.monotonic_ns()}.log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "assent", *arguments],
                cwd=folder,
                env={**inherited, "ASSENT_LOG_FORMAT": "json", **environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    def output(self) -> str:
        return self._log.read_text()

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.output()):
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {pattern!r} in:\n{self.output()}")

    def wait_ready(self) -> tuple[str, str | None]:
        """Its address and, if it printed one, the token of the sign-in link."""
        found = self.wait_for(r"(?:Open|Ready at) (http://[\d.:]+)(?:/login\?token=(\S+))?")
        return found[1], found[2]

    def list_processes(self) -> list[psutil.Process]:
        """It and everything that it started."""
        process = psutil.Process(self.pid)
        return [process, *process.children(recursive=True)]

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            os.kill(self.pid, how)
        return self.process.wait(PATIENCE)


def wait_gone(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    assert not alive, alive
