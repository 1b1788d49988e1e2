"""The text of a PDF, read in another process with bounds on time and memory.

A file that is made to be slow or large costs that process, never this one: parsers of PDFs have
had endless loops and bombs again and again, and a thread cannot be ended.
"""

import asyncio
import contextlib
import logging
import sys

SECONDS = 20.0
AT_ONCE = 2

_CHILD = "assent.conversations.pdf_child"
log = logging.getLogger("assent.conversations")


class PdfReading:
    """At most a few at once in a process; the others wait."""

    def __init__(self, *, seconds: float = SECONDS, at_once: int = AT_ONCE) -> None:
        self._seconds = seconds
        self._places = asyncio.Semaphore(at_once)

    async def extract(self, content: bytes) -> str | None:
        """Nothing if it cannot be read, in time or at all."""
        async with self._places:
            child = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                _CHILD,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_build_environment(),
            )
            try:
                async with asyncio.timeout(self._seconds):
                    said, _ = await child.communicate(content)
            except TimeoutError:
                log.info("A PDF took too long to read.")
                return None
            finally:
                await _end(child)
        return said.decode("utf-8", "replace") if child.returncode == 0 else None


def _build_environment() -> dict[str, str]:
    """Where its code is, and nothing else: no setting and no key reaches it."""
    return {"PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()
