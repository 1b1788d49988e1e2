"""OpenTelemetry's own measurements of generative AI, for whoever collects them without Prometheus.

Names, units and buckets are those of its conventions.
"""

from opentelemetry.metrics import Histogram, Meter

TOKENS = tuple(4**power for power in range(14))
CALLS = tuple(0.01 * 2**power for power in range(14))
AGENTS = tuple(0.1 * 2**power for power in range(13))
CHUNKS = (
    0.001,
    0.005,
    0.01,
    0.02,
    0.04,
    0.06,
    0.08,
    0.1,
    0.25,
    0.5,
    0.75,
    1.0,
    2.5,
    5.0,
    7.5,
    10.0,
)


class Instruments:
    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self.tokens = self._add("gen_ai.client.token.usage", "{token}", TOKENS)
        self.calls = self._add("gen_ai.client.operation.duration", "s", CALLS)
        self.first_chunk = self._add("gen_ai.client.operation.time_to_first_chunk", "s", CHUNKS)
        self.agents = self._add("gen_ai.invoke_agent.duration", "s", AGENTS)
        self.tools = self._add("gen_ai.execute_tool.duration", "s", CALLS)

    def _add(self, name: str, unit: str, buckets: tuple[float, ...]) -> Histogram:
        return self._meter.create_histogram(
            name, unit=unit, explicit_bucket_boundaries_advisory=buckets
        )
