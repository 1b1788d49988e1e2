"""A text in the body of a response."""

from typing import Annotated

from pydantic import AfterValidator, Field

from assent.bundled.healthcheck.assertion import compile_pattern, find_pattern_fault
from assent.bundled.healthcheck.declaration import COLLECTOR, plugin
from assent.bundled.healthcheck.strategies.http import HttpResult
from assent.plugins.api import Value

LONGEST = 1000


def _check_pattern(pattern: str) -> str:
    fault = find_pattern_fault(pattern)
    if fault is not None:
        raise ValueError(fault)
    return pattern


class TextConfig(Value):
    pattern: Annotated[str, AfterValidator(_check_pattern)] = Field(
        min_length=1, description="A regular expression in RE2's syntax."
    )


class TextResult(Value):
    found: bool
    count: int = Field(description="How often it was found.")
    match: str | None = Field(description="The first group where there is one, else all of it.")


@plugin.contribute(COLLECTOR, "text")
class TextCollector:
    """Look for a pattern in the body."""

    strategy = "http"
    title = "Text in the body"
    Config = TextConfig
    Result = TextResult

    def collect(self, observed: HttpResult, config: TextConfig) -> TextResult:
        text = observed.body.decode("utf-8", "replace")
        matches = list(compile_pattern(config.pattern).finditer(text))
        first = None
        if matches:
            groups = matches[0].groups()
            first = (groups[0] if groups else matches[0].group(0)) or ""
        return TextResult(
            found=bool(matches),
            count=len(matches),
            match=first[:LONGEST] if first is not None else None,
        )
