"""Strategies whose probe is a script: in Python, and in shell."""

from typing import Any, ClassVar, cast

from pydantic import Field

from assent.bundled.healthcheck.capability import ProbeFailed
from assent.bundled.healthcheck.declaration import STRATEGY, plugin
from assent.bundled.healthcheck.reach import Reach
from assent.bundled.healthcheck.scripts.build import build_script
from assent.bundled.healthcheck.scripts.script import (
    LONGEST_TIME,
    Language,
    ScriptConfig,
    fill_in,
    list_placeholders,
    write_placeholder,
)
from assent.bundled.healthcheck.values import Assertion
from assent.plugins.api import Finished, Value, replace_secrets

LONGEST_MESSAGE = 1000


class ScriptResult(Value):
    """What the script gave back. Fields of its own are taken with a collector."""

    ok: bool = Field(description="False if the script returned false, or an object with ok false.")
    message: str | None = Field(description="`message` of the object that it returned.")
    value: float | None = Field(
        description="The number that it returned, or `value` of the object."
    )
    exit_code: int | None
    result: Any = Field(exclude=True)
    took_ms: float = Field(exclude=True)


class ScriptProbe:
    """What both languages have in common."""

    version = 1
    minds_time = True
    Config = ScriptConfig
    Result = ScriptResult
    expects = (Assertion(field="ok", operator="equals", value=True),)
    language: ClassVar[Language]

    def origins(self, config: ScriptConfig) -> tuple[str, ...]:
        """What it reaches stands in the check's `egress`."""
        return ()

    def list_secrets(self, config: ScriptConfig) -> tuple[str, ...]:
        return list_placeholders(config.env)

    async def probe(self, reach: Reach, config: ScriptConfig) -> ScriptResult:
        script = build_script(
            self.language,
            config,
            context={"now": reach.now.isoformat(), "reach": list(reach.origins)},
            env=fill_in(config.env, reach.secrets),
            milliseconds=min(LONGEST_TIME, round(reach.seconds * 1000)),
        )
        finished = await reach.scripts.run(script, reach=reach.origins)
        hidden = {write_placeholder(name): value for name, value in reach.secrets.items()}
        if finished.error is not None:
            raise ProbeFailed(replace_secrets(finished.error, hidden))
        return read_result(finished, replace_secrets(finished.result, hidden))


def read_result(finished: Finished, result: Any) -> ScriptResult:
    told = cast("dict[str, Any]", result) if isinstance(result, dict) else {"value": result}
    message, value = told.get("message"), told.get("value")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return ScriptResult(
        ok=result is not False and told.get("ok") is not False,
        message=message[:LONGEST_MESSAGE] if isinstance(message, str) else None,
        value=value if is_number else None,
        exit_code=finished.exit_code,
        result=result,
        took_ms=finished.duration_ms,
    )


@plugin.contribute(STRATEGY, "script")
class PythonStrategy(ScriptProbe):
    """Run a Python script behind walls. Without assertions it is up unless the script says not ok.

    Its `run` returns an object such as {"ok": true, "message": "…", "value": 12}, or true, false or
    a number. One that raises or takes too long means that the check is down. What it may reach
    stands in `egress`. Get its surroundings with healthcheck.getScriptContext, and try it with
    healthcheck.testScript: a proposal needs exactly the bytes that were tried.
    """

    title = "Python script"
    language = "python"


@plugin.contribute(STRATEGY, "shell")
class ShellStrategy(ScriptProbe):
    """Run a shell script behind walls. Without assertions it is up when it ends with 0.

    Its result is the last line that it prints, if that is JSON, such as {"ok": true, "value": 12}.
    What it may reach stands in `egress`, and it asks with the command `http`. Get its surroundings
    with healthcheck.getScriptContext, and try it with healthcheck.testScript: a proposal needs
    exactly the bytes that were tried.
    """

    title = "Shell script"
    language = "shell"
