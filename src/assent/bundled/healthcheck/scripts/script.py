"""Scripts of checks as values: what is configured, what is tried, and how that ended. Pure."""

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, StringConstraints

from assent.plugins.api import Value

Language: TypeAlias = Literal["python", "shell"]
ScriptContext: TypeAlias = Literal["healthcheck-script", "healthcheck-shell"]

LONGEST_SOURCE = 100_000
SHORTEST_TIME, LONGEST_TIME, USUAL_TIME = 100, 30_000, 10_000
MOST_PLACES, MOST_VARIABLES, LONGEST_VARIABLE = 20, 50, 4000
EVIDENCE = "healthcheck.script"
LANGUAGES: Mapping[str, Language] = {"healthcheck-script": "python", "healthcheck-shell": "shell"}
KINDS: Mapping[str, Language] = {"script": "python", "shell": "shell"}
"""The strategies that run scripts."""

PLACEHOLDER = re.compile(r"__SECRET_([A-Z][A-Z0-9_]*?)__")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")

Source = Annotated[str, Field(min_length=1, max_length=LONGEST_SOURCE)]
VariableName = Annotated[str, StringConstraints(pattern=VARIABLE.pattern.join("^$"), max_length=64)]
VariableText = Annotated[str, Field(max_length=LONGEST_VARIABLE)]
Variables = Annotated[
    dict[VariableName, VariableText],
    Field(
        max_length=MOST_VARIABLES,
        description="Environment variables. `__SECRET_NAME__` stands for a secret of the "
        "workspace: scheduled runs get its value, tests get the placeholder itself.",
    ),
]


class ScriptConfig(Value):
    """What the script is, and what it is given."""

    source: Source = Field(description="The script; see healthcheck.getScriptContext.")
    config: dict[str, Any] = Field({}, description="What the script finds as its configuration.")
    env: Variables = {}


class ScriptTest(Value):
    """A script to be tried out; nothing is created."""

    context: ScriptContext
    source: Source = Field(description="The whole script.")
    timeout_ms: int = Field(
        USUAL_TIME, ge=SHORTEST_TIME, le=LONGEST_TIME, description="How long it may take."
    )
    config: dict[str, Any] = Field({}, description="As `strategy.config.config` will be.")
    sample: dict[str, Any] = Field({}, description="What it finds as its context in this test.")
    env: Variables = {}
    reach: list[Annotated[str, Field(min_length=1, max_length=2000)]] = Field(
        [],
        max_length=MOST_PLACES,
        description="Places that it may reach: origins such as `http://127.0.0.1:8080`, or single "
        "web addresses. Without any it reaches nothing. Prefer the address that the person wrote.",
    )


class ScriptOutcome(Value):
    """How a test ended."""

    result: Any
    stdout: str
    stderr: str
    exit_code: int | None
    duration_ms: int
    timed_out: bool
    error: str | None
    sandbox_downgraded: bool


def find_digest(language: Language, source: str) -> str:
    """Names exactly these bytes in this language."""
    return sha256(f"{language}\0{source}".encode()).hexdigest()


def list_placeholders(env: Mapping[str, str]) -> tuple[str, ...]:
    found = (name for text in env.values() for name in PLACEHOLDER.findall(text))
    return tuple(dict.fromkeys(found))


def write_placeholder(name: str) -> str:
    return f"__SECRET_{name}__"


def fill_in(env: Mapping[str, str], secrets: Mapping[str, str]) -> dict[str, str]:
    """The variables with the secrets that they name; one that is not there stays a placeholder."""
    return {
        name: PLACEHOLDER.sub(lambda found: secrets.get(found[1], found[0]), text)
        for name, text in env.items()
    }
