"""A plugin whose proposals rest on tests, and which runs scripts, for tests."""

from hashlib import sha256

from pydantic import Field

from assent.plugins.api import (
    Context,
    Evidence,
    Plugin,
    Preview,
    Result,
    Script,
    ToolValidationError,
    Value,
)

MANAGE = "lab.thing.manage"
KIND = "lab.trial"

plugin = Plugin("lab", title="Lab", rules=[MANAGE])


class Draft(Value):
    source: str


class ScriptDraft(Draft):
    reach: list[str] = Field(default=[])


def digest(source: str) -> str:
    return sha256(source.encode()).hexdigest()


def prove(source: str, shown: object) -> Evidence:
    return Evidence(kind=KIND, digest=digest(source), shown={"shown": shown})


@plugin.tool("lab.try", effect="read", rules=[MANAGE])
class Try:
    """Look at some bytes."""

    Input = Draft

    async def execute(self, ctx: Context, given: Draft) -> Result:
        shown = f"seen: {given.source[:300_000]}"
        return Result("ok", evidence=(prove(given.source, "first"), prove(given.source, shown)))


@plugin.tool("lab.run", effect="read", rules=[MANAGE], egress=True, output_trust="untrusted")
class Run:
    """Run a script that may reach places."""

    Input = ScriptDraft
    destinations = ("reach",)

    def egress_of(self, given: ScriptDraft) -> bool:
        return bool(given.reach)

    async def execute(self, ctx: Context, given: ScriptDraft) -> Result:
        finished = await ctx.scripts.run(Script("python", given.source), reach=given.reach)
        told = {
            "result": finished.result,
            "error": finished.error,
            "downgraded": finished.sandbox_downgraded,
        }
        return Result(told, evidence=(prove(given.source, finished.result),))


@plugin.tool("lab.build", effect="mutate", rules=[MANAGE])
class Build:
    """Build from bytes that were tried."""

    Input = Draft

    async def dry_run(self, ctx: Context, given: Draft) -> Preview:
        shown = await ctx.find_evidence(KIND, digest(given.source))
        if shown is None:
            raise ToolValidationError.at("source", "Try exactly this first.")
        return Preview(summary="Build it", creates={"tried": shown["shown"]})

    async def execute(self, ctx: Context, given: Draft) -> Result:
        shown = await ctx.find_evidence(KIND, digest(given.source))
        return Result({"built": shown is not None})
