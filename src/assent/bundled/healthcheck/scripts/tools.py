"""The tool that tries a script out, for models."""

from datetime import timedelta

from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.scripts.script import LANGUAGES, ScriptTest
from assent.bundled.healthcheck.scripts.trial import prove, try_script
from assent.bundled.healthcheck.tools.card import feedback
from assent.plugins.api import Context, Preview, Result


@plugin.tool(
    "healthcheck.testScript",
    effect="read",
    rules=[MANAGE],
    egress=True,
    output_trust="untrusted",
    timeout=timedelta(minutes=2),
)
class TestScript:
    """Try out a script of a health check behind walls; nothing is created.

    Get its surroundings with healthcheck.getScriptContext first. `reach` lists the places that it
    may ask; without any it reaches nothing. Secrets are placeholders here. Repair it until `error`
    is null, then propose exactly these bytes with healthcheck.propose.
    """

    title = "Try out a script"
    Input = ScriptTest
    destinations = ("reach",)

    def egress_of(self, given: ScriptTest) -> bool:
        return bool(given.reach)

    async def dry_run(self, ctx: Context, given: ScriptTest) -> Preview:
        places = ", ".join(given.reach) or "nothing"
        return Preview(summary=f"Try out a {LANGUAGES[given.context]} script that reaches {places}")

    async def execute(self, ctx: Context, given: ScriptTest) -> Result:
        with feedback():
            outcome = await try_script(ctx, given)
        trust = "untrusted" if given.reach else "trusted"
        return Result(outcome, evidence=(prove(given, outcome),), trust=trust)
