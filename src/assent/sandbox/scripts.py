"""Scripts as plugins run them: behind walls, and out only to the places that were declared."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from assent.errors import PluginError
from assent.net.web import Web
from assent.sandbox.sandbox import Sandbox
from assent.sandbox.script import Finished, Script, run_script

CLOSED = "ctx.scripts is open where ctx.http is: outside of any transaction."

FindSandbox: TypeAlias = Callable[[], Awaitable[Sandbox]]
"""Waits until it has been tried."""


async def have_none() -> Sandbox:
    return Sandbox(None, "this process runs no scripts.")


@dataclass(frozen=True, slots=True)
class Scripts:
    sandbox: FindSandbox = have_none
    http: Web = field(default_factory=Web)

    def through(self, http: Web) -> "Scripts":
        """The same, with requests that go no further than this way out."""
        return replace(self, http=http)

    async def run(self, script: Script, *, reach: Sequence[str] = ()) -> Finished:
        """Its requests go to the origins in `reach`, and nowhere else.

        Raises SandboxUnavailable where no script can run.
        """
        if not self.http.is_open:
            raise PluginError(CLOSED)
        return await run_script(await self.sandbox(), script, self.http.within(reach).fetch)
