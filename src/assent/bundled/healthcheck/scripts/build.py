"""A check's script as the sandbox takes it, and its end as callers see it."""

from collections.abc import Iterable, Mapping
from typing import Any

from assent.bundled.healthcheck.scripts.script import (
    VARIABLE,
    Language,
    ScriptConfig,
    ScriptOutcome,
)
from assent.plugins.api import Finished, Script


def build_script(
    language: Language,
    given: ScriptConfig,
    *,
    context: Mapping[str, Any],
    env: Mapping[str, str],
    milliseconds: int,
) -> Script:
    """As the sandbox takes it. A shell script finds its configuration in its environment."""
    if language == "shell":
        env = {**dict(_list_shell_variables(given.config)), **env}
    return Script(
        language,
        given.source,
        config=given.config,
        context=context,
        env=env,
        milliseconds=milliseconds,
    )


def show_finished(finished: Finished) -> ScriptOutcome:
    return ScriptOutcome(
        result=finished.result,
        stdout=finished.stdout,
        stderr=finished.stderr,
        exit_code=finished.exit_code,
        duration_ms=finished.duration_ms,
        timed_out=finished.timed_out,
        error=finished.error,
        sandbox_downgraded=finished.sandbox_downgraded,
    )


def _list_shell_variables(config: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """`url` is `CONFIG_URL`; lists and objects are left to Python."""
    for name, value in config.items():
        if VARIABLE.fullmatch(name) and isinstance(value, str | int | float):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield f"CONFIG_{name.upper()}", text
