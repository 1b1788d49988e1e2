"""A plugin with tools that take their time, say how far they are, say too much, or give away."""

import asyncio
from typing import Any

from assent.plugins.api import Context, Plugin, Progress, Result, ToolValidationError, Value
from tests.unit.vault.scrub.made_up import make_up

RULE = "workshop.thing.read"
CANARY = make_up("gh{}p_{A36}", 77)

plugin = Plugin("workshop", title="Workshop", rules=[RULE])


class Pace(Value):
    steps: int = 3


class Said(Value):
    text: str = ""


class Patience:
    """Whether somebody is at work right now, and how often work was given up."""

    at_work = 0
    given_up = 0


@plugin.tool("workshop.count", effect="read", rules=[RULE])
class Count:
    """Count, and tell each step."""

    Input = Pace

    async def execute(self, ctx: Context, given: Pace) -> Result:
        for step in range(1, given.steps + 1):
            ctx.progress(Progress(done=step, total=given.steps, text=f"step {step}"))
            await asyncio.sleep(0)
        return Result({"counted": given.steps})


@plugin.tool("workshop.wait", effect="read", rules=[RULE])
class Wait:
    """Wait for what never comes."""

    Input = Said

    async def execute(self, ctx: Context, given: Said) -> Result:
        Patience.at_work += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            Patience.given_up += 1
            raise
        finally:
            Patience.at_work -= 1
        return Result()


@plugin.tool("workshop.sleep", effect="read", rules=[RULE])
class Sleep:
    """Have the database wait for a quarter of an hour."""

    Input = Said

    async def execute(self, ctx: Context, given: Said) -> Result:
        await ctx.db.fetchval("SELECT pg_sleep(900)")
        return Result()


@plugin.tool("workshop.echo", effect="read", rules=[RULE])
class Echo:
    """Say it back, with a secret beside it."""

    Input = Said

    async def execute(self, ctx: Context, given: Said) -> Result:
        if given.text == "complain":
            raise ToolValidationError.at("text", f"Do not say {CANARY}.")
        if given.text == "crash":
            raise RuntimeError(f"internal {CANARY}")
        return Result({"said": given.text, "none": None, "secret": CANARY})


@plugin.tool("workshop.pile", effect="read", rules=[RULE])
class Pile:
    """Far more than fits into an answer."""

    Input = Said

    async def execute(self, ctx: Context, given: Said) -> Result:
        rows: list[dict[str, Any]] = [{"number": one, "text": "x" * 200} for one in range(2000)]
        return Result(rows)
