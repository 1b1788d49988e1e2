"""Changes: from the proposal over the token to its application, each request waited for."""

from uuid import uuid4

from assent.bench.client import Caller
from assent.bench.figure import Figure, at_most
from assent.bench.lanes import drive_lanes
from assent.bench.meter import Meter, divide, list_costs, list_percentiles
from assent.bench.site import Site
from assent.bench.size import Size

TOOL = "catalog.updateSystem"
TARGET = at_most(20)


async def measure_changes(site: Site, size: Size) -> list[Figure]:
    """One person alone, then several at once, each with a system of their own."""
    people = await site.add_people(size.lanes)
    systems = await site.add_systems(size.lanes)

    async def change(caller: Caller, lane: int) -> None:
        given = {"systemId": systems[lane], "description": str(uuid4())}
        body = {"tool": TOOL, "input": given}
        card = (await caller.ask("POST", "/api/proposals", body)).parse(201)
        path = f"/api/proposals/{card['id']}"
        token = (await caller.ask("POST", f"{path}/token")).parse(200)["token"]
        (await caller.ask("POST", f"{path}/apply", {"token": token})).parse(200)

    figures: list[Figure] = []
    for count in sorted({1, size.lanes}):
        at = {"people": count}
        await drive_lanes(site.owner, people[:count], change, seconds=0)
        meter = Meter(site.stage, site.owner)
        taken = await drive_lanes(site.owner, people[:count], change, seconds=size.seconds)
        spent = meter.read()
        who = "one person" if count == 1 else f"{count} people"
        figures += list_percentiles("changes", f"propose + apply, {who}", taken, at, TARGET)
        figures.append(
            Figure(
                name="changes.perSecond",
                title=f"changes in a second, {who}",
                value=divide(len(taken), spent.seconds),
                unit="/s",
                at=at,
            )
        )
        figures += list_costs("changes.change", f"a change, {who}", spent, len(taken), at)
    return figures
