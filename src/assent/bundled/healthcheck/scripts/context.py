"""What whoever writes a script has to know: taken from the files that the script will meet."""

import sys
from typing import Any

from pydantic import Field

from assent.bundled.healthcheck.declaration import MANAGE, plugin
from assent.bundled.healthcheck.scripts.script import (
    LANGUAGES,
    LONGEST_SOURCE,
    LONGEST_TIME,
    USUAL_TIME,
    Language,
    ScriptContext,
)
from assent.bundled.healthcheck.scripts.starter import PYTHON, SHELL
from assent.plugins.api import Context, Value, read_sdk


class ContextQuery(Value):
    context: ScriptContext


class EnvironmentEntry(Value):
    name: str
    description: str


class ScriptSurroundings(Value):
    """All that a script finds where it runs, and one that works."""

    context: ScriptContext
    language: Language
    strategy: str = Field(description="`kind` of the strategy that runs such scripts.")
    module: str
    helper: str
    stubs: str
    packages: list[str]
    environment: list[EnvironmentEntry]
    limits: dict[str, Any]
    starter: str
    sample_config: dict[str, Any]


SECRETS = EnvironmentEntry(
    name="any of `env`",
    description="As configured. `__SECRET_NAME__` in a value stands for the secret NAME of the "
    "workspace: tests see the placeholder, scheduled runs the value.",
)
COMMON = (
    EnvironmentEntry(name="HOME", description="A folder in memory, gone afterwards."),
    SECRETS,
)
ENVIRONMENT: dict[Language, tuple[EnvironmentEntry, ...]] = {
    "python": (
        EnvironmentEntry(name="script.config", description="`config` of the strategy."),
        EnvironmentEntry(
            name="script.context", description="`now`, and `reach`: the places that it may reach."
        ),
        EnvironmentEntry(name="script.env", description="The variables of `env`."),
        *COMMON,
    ),
    "shell": (
        EnvironmentEntry(
            name="CONFIG_NAME",
            description="Texts and numbers of `config`: `url` is CONFIG_URL.",
        ),
        *COMMON,
    ),
}
PACKAGES: dict[Language, list[str]] = {
    "python": [f"Python {sys.version_info[0]}.{sys.version_info[1]} standard library"],
    "shell": ["/bin/sh", "programs of the system under /usr/bin", "http"],
}


@plugin.procedure(rule=MANAGE, effect="read", route="GET /scripts/context")
async def get_script_context(ctx: Context, query: ContextQuery) -> ScriptSurroundings:
    """Show what a script can use: helper, types, environment, limits and a starter."""
    language = LANGUAGES[query.context]
    sdk = read_sdk(language)
    return ScriptSurroundings(
        context=query.context,
        language=language,
        strategy="script" if language == "python" else "shell",
        module=sdk.module,
        helper=sdk.helper,
        stubs=sdk.stubs,
        packages=PACKAGES[language],
        environment=list(ENVIRONMENT[language]),
        limits={
            "sourceCharacters": LONGEST_SOURCE,
            "timeoutMs": {"most": LONGEST_TIME, "usual": USUAL_TIME},
            "network": "only HTTP, through the helper, to the places that are declared",
        },
        starter=PYTHON if language == "python" else SHELL,
        sample_config={},
    )


plugin.project(
    get_script_context,
    tool="healthcheck.getScriptContext",
    title="Surroundings of a script",
    description="Show what a script of a health check can use: the helper and its types, packages, "
    "environment, limits, and a starter that works. Call this before you write one, with "
    "`healthcheck-script` for Python or `healthcheck-shell` for shell.",
)
