"""Tool calls of programs: a tool that reads, over HTTP and through the door."""

from assent.bench.client import Caller
from assent.bench.figure import Figure, at_least
from assent.bench.lanes import drive_lanes
from assent.bench.meter import Meter, divide, list_costs, list_percentiles
from assent.bench.site import Site
from assent.bench.size import Size

PATH = "/api/tools/catalog.listSystems/call"
RULE = "catalog.system.read"
SYSTEMS = 10


async def measure_tool_calls(site: Site, size: Size) -> list[Figure]:
    """Several programs, each with a key of its own and therefore a budget of its own."""
    await site.add_systems(SYSTEMS)
    keys = await site.add_keys(size.lanes, [RULE])

    async def call(caller: Caller, _lane: int) -> None:
        (await caller.ask("POST", PATH, {"input": {}})).parse(200)

    await drive_lanes(site.owner, keys, call, seconds=0)
    meter = Meter(site.stage, site.owner)
    taken = await drive_lanes(site.owner, keys, call, seconds=size.seconds)
    spent, at = meter.read(), {"programs": size.lanes}
    return [
        Figure(
            name="toolCalls.perCore",
            title="calls in a second of one core",
            value=divide(len(taken), spent.cpu),
            unit="/s",
            target=at_least(1000),
            at=at,
        ),
        Figure(
            name="toolCalls.perSecond",
            title=f"calls in a second, {size.lanes} programs",
            value=divide(len(taken), spent.seconds),
            unit="/s",
            at=at,
        ),
        *list_percentiles("toolCalls", "a call", taken, at),
        *list_costs("toolCalls.call", "a call", spent, len(taken), at),
    ]
