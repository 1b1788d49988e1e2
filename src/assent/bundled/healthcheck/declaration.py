"""The plugin as it is declared; what it does is in the files beside this one."""

from typing import Literal

from pydantic import Field

from assent.bundled.healthcheck.capability import check_collector, check_strategy
from assent.plugins.api import Contribution, Plugin, Value

READ, MANAGE = "healthcheck.check.read", "healthcheck.check.manage"
STRATEGY, COLLECTOR = "healthcheck.strategy", "healthcheck.collector"


class HealthcheckSettings(Value):
    """`reach`: whether checks get to private addresses and this machine where they name them."""

    keep_days: int = Field(14, ge=1, le=366)
    keep_hours_days: int = Field(400, ge=1, le=3660)
    reach: Literal["declared", "public"] = "declared"


plugin = Plugin(
    "healthcheck",
    title="Health checks",
    rules=[READ, MANAGE],
    requires=["catalog"],
    settings=HealthcheckSettings,
)
plugin.page("checks", title="Health checks", rule=READ, icon="heart")


def _check_strategy(contribution: Contribution) -> None:
    check_strategy(contribution.name, contribution.value)


def _check_collector(contribution: Contribution) -> None:
    check_collector(contribution.name, contribution.value)


plugin.extension(STRATEGY, check=_check_strategy)
plugin.extension(COLLECTOR, check=_check_collector)
