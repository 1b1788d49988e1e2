"""A strategy as a plugin of somebody else has it: nothing of it is known to the pages."""

from typing import Any

from pydantic import Field

from assent.bundled.healthcheck.api import STRATEGY
from assent.plugins.api import Plugin, Value

plugin = Plugin("lucky", title="Luck", rules=["lucky.number.read"], requires=["healthcheck"])


class LuckyConfig(Value):
    number: int = Field(description="What comes out.")
    loud: bool = Field(False, description="Whether it is said aloud.")


class LuckyResult(Value):
    number: int


@plugin.contribute(STRATEGY, "lucky")
class LuckyStrategy:
    """Draw a number."""

    title = "Lucky number"
    version = 1
    Config = LuckyConfig
    Result = LuckyResult

    def origins(self, config: LuckyConfig) -> tuple[str, ...]:
        return ()

    async def probe(self, reach: Any, config: LuckyConfig) -> LuckyResult:
        return LuckyResult(number=config.number)
