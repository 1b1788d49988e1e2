"""Trying a script out: for the tool and for the page's editor, behind the same walls."""

from assent.bundled.healthcheck.scripts.build import build_script, show_finished
from assent.bundled.healthcheck.scripts.script import (
    EVIDENCE,
    KINDS,
    LANGUAGES,
    Language,
    ScriptConfig,
    ScriptOutcome,
    ScriptTest,
    find_digest,
)
from assent.bundled.healthcheck.store.sources import find_source
from assent.bundled.healthcheck.values import Check, StrategyDraft
from assent.plugins.api import (
    Context,
    DestinationRefused,
    Evidence,
    Invalid,
    Issue,
    ToolValidationError,
    Web,
)

LONGEST_SHOWN = 4000
UNTRIED = (
    "These exact bytes were not tried. Try them with healthcheck.testScript first, then propose "
    "them unchanged."
)


async def try_script(ctx: Context, given: ScriptTest) -> ScriptOutcome:
    """Its secrets are placeholders, and nothing is left of it afterwards."""
    language = LANGUAGES[given.context]
    http = _narrow(ctx, given)
    script = build_script(
        language,
        ScriptConfig(source=given.source, config=given.config),
        context={"now": ctx.now.isoformat(), "reach": given.reach, **given.sample},
        env=given.env,
        milliseconds=given.timeout_ms,
    )
    return show_finished(await ctx.scripts.through(http).run(script, reach=given.reach))


def _narrow(ctx: Context, given: ScriptTest) -> Web:
    issues: list[Issue] = []
    for at, place in enumerate(given.reach):
        try:
            ctx.http.within([place])
        except DestinationRefused as error:
            issues.append(Issue(f"reach.{at}", error.message))
    if issues:
        raise Invalid(issues)
    return ctx.http.within(given.reach, inside=ctx.settings.reach == "declared")


def prove(given: ScriptTest, outcome: ScriptOutcome) -> Evidence:
    """That these bytes were tried, and how, for the card of a proposal."""
    told = outcome.model_dump(mode="json", by_alias=True)
    cut = {name: told[name][:LONGEST_SHOWN] for name in ("stdout", "stderr")}
    result = str(told["result"])
    shown = {
        **told,
        **cut,
        "result": told["result"] if len(result) <= LONGEST_SHOWN else result[:LONGEST_SHOWN],
        "reach": given.reach,
    }
    digest = find_digest(LANGUAGES[given.context], given.source)
    return Evidence(kind=EVIDENCE, digest=digest, shown=shown)


async def find_trial(
    ctx: Context, after: StrategyDraft, check: Check | None = None
) -> dict[str, object]:
    """How the script of a proposal behaved, to be shown with it; nothing without a new script.

    Raise ToolValidationError if these bytes were not tried by whoever proposes them, unless it is
    what the check ran before: people go back to that, with an undo.
    """
    found = _find_script(after)
    if found is None or (check is not None and _find_script(check.strategy) == found):
        return {}
    shown = await ctx.find_evidence(EVIDENCE, find_digest(*found))
    if shown is not None:
        return {"test": dict(shown)}
    if check is not None:
        until = await find_source(ctx.db, ctx.tenant_id, check.id, kind=after.kind, source=found[1])
        if until is not None:
            return {"test": {"ranHereUntil": until.isoformat()}}
    raise ToolValidationError.at("strategy.config.source", UNTRIED)


def _find_script(strategy: StrategyDraft) -> tuple[Language, str] | None:
    language, source = KINDS.get(strategy.kind), strategy.config.get("source")
    return (language, source) if language and isinstance(source, str) else None
