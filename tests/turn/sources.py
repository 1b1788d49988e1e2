"""Plugins that contribute to `system.issues`: one that finds what it is told, and some that cannot.

What they find is in `FOUND`, which tests fill.
"""

from collections.abc import Sequence

from assent.bundled.catalog.api import SYSTEM_ISSUES, SystemIssue
from assent.plugins.api import Context, NotFound, Plugin, Value
from tests.turn.ledger import SECRET

READ = "radar.echo.read"
SHUT = "radar.shut.read"
FOUND: list[SystemIssue] = []


class RadarSettings(Value):
    unit: str = "echoes"


plugin = Plugin(
    "radar", title="Radar", rules=[READ, SHUT], requires=["catalog"], settings=RadarSettings
)


@plugin.contribute(SYSTEM_ISSUES, "broken")
class Broken:
    title = "Broken"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        raise RuntimeError(f"password {SECRET}")


@plugin.contribute(SYSTEM_ISSUES, "spoiling")
class Spoiling:
    """A statement of its that fails would end the transaction of everybody."""

    title = "Spoiling"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        await ctx.db.fetchval("SELECT 1 / 0")
        return []


@plugin.contribute(SYSTEM_ISSUES, "slow")
class Slow:
    title = "Slow"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        await ctx.db.fetchval("SELECT pg_sleep(600)")
        return []


@plugin.contribute(SYSTEM_ISSUES, "honest")
class Honest:
    title = "Honest"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        raise NotFound("The radar is switched off.")


@plugin.contribute(SYSTEM_ISSUES, "shut")
class Shut:
    title = "Shut"
    rule = SHUT

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        return [SystemIssue(system_id=None, severity="info", title="behind the door")]


@plugin.contribute(SYSTEM_ISSUES, "echo")
class Echo:
    """Its scope and its settings are the radar's, as for a procedure of it."""

    title = "Echoes"
    rule = READ

    async def find(self, ctx: Context) -> Sequence[SystemIssue]:
        assert ctx.scope.rule == READ
        title = f"{await ctx.db.fetchval('SELECT 1')} {ctx.settings.unit}"
        return [*FOUND, SystemIssue(system_id=None, severity="info", title=title)]
