"""A header of a response."""

from pydantic import Field

from assent.bundled.healthcheck.declaration import COLLECTOR, plugin
from assent.bundled.healthcheck.strategies.http import HttpResult
from assent.plugins.api import Value


class HeaderConfig(Value):
    name: str = Field(min_length=1, max_length=200, description="Whatever its case.")


class HeaderResult(Value):
    value: str | None = Field(description="Nothing if there is no such header.")


@plugin.contribute(COLLECTOR, "header")
class HeaderCollector:
    """Take one header of the response."""

    strategy = "http"
    title = "Header"
    Config = HeaderConfig
    Result = HeaderResult

    def collect(self, observed: HttpResult, config: HeaderConfig) -> HeaderResult:
        return HeaderResult(value=observed.headers.get(config.name.lower()))
