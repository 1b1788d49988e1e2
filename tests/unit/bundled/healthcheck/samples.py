"""A check that is right, and capabilities to judge it with: ours, and some of a plugin's."""

from typing import Any
from uuid import UUID

from pydantic import Field

from assent.bundled.healthcheck.capability import Capabilities
from assent.bundled.healthcheck.collectors.header import HeaderCollector
from assent.bundled.healthcheck.collectors.json_value import JsonCollector
from assent.bundled.healthcheck.collectors.text import TextCollector
from assent.bundled.healthcheck.strategies.dns import DnsStrategy
from assent.bundled.healthcheck.strategies.http import HttpStrategy
from assent.bundled.healthcheck.strategies.tcp import TcpStrategy
from assent.bundled.healthcheck.strategies.tls import TlsStrategy
from assent.plugins.api import Value

WORKSPACE = UUID(int=1)


class QueueConfig(Value):
    name: str
    depth: int = Field(100, ge=1)


class QueueResult(Value):
    waiting: int
    oldest: str | None
    tags: list[str]


class QueueStrategy:
    """Look at a queue; its configuration has changed twice."""

    title = "Queue"
    version = 3
    Config = QueueConfig
    Result = QueueResult

    def migrate(self, config: dict[str, Any], version: int) -> dict[str, Any]:
        if version == 1:
            config = {"name": config["queue"]}
        return {"name": config["name"], "depth": config.get("limit", 100)}

    def origins(self, config: QueueConfig) -> tuple[str, ...]:
        return ("tcp://queue.example.com:5672",)

    async def probe(self, reach: Any, config: QueueConfig) -> QueueResult:
        return QueueResult(waiting=0, oldest=None, tags=[])


KNOWN = Capabilities(
    strategies={
        "http": HttpStrategy(),
        "tcp": TcpStrategy(),
        "tls": TlsStrategy(),
        "dns": DnsStrategy(),
        "queue": QueueStrategy(),
    },
    collectors={"json": JsonCollector(), "header": HeaderCollector(), "text": TextCollector()},
)


def build_given(**fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "workspaceId": str(WORKSPACE),
        "name": "Website",
        "strategy": {"kind": "http", "config": {"url": "https://example.com/health"}},
        "collectors": [{"id": "state", "kind": "json", "config": {"path": "checks[0].status"}}],
        "assertions": [
            {"field": "statusCode", "operator": "equals", "value": 200},
            {"field": "state.value", "operator": "equals", "value": "ok", "severity": "degraded"},
            {"field": "durationMs", "operator": "lessThan", "value": 800},
        ],
    }
    given |= fields
    return {name: value for name, value in given.items() if value is not None}
