"""The tools for anomalies: the list, and saying that one is looked after."""

from assent.bundled.anomaly.anomalies import (
    MANAGE,
    acknowledge_anomaly,
    check_unseen,
    list_anomalies,
    load_anomaly,
)
from assent.bundled.anomaly.declaration import plugin
from assent.bundled.anomaly.values import Acknowledgement, Anomaly
from assent.plugins.api import (
    Basis,
    Conflict,
    Context,
    Issue,
    NotFound,
    Preview,
    Result,
    ToolValidationError,
    find_changes,
)

plugin.project(
    list_anomalies,
    tool="anomaly.list",
    title="List anomalies",
    description="List times in which checks were not up, the newest first: which check, since "
    "when, until when, how bad, and who has acknowledged it. `open` true gives those that last; "
    "`systemId` and `since` narrow it. Use it for what happened in a time; for all that is "
    "wrong now use system.issues.",
    examples=["Which anomalies are open?"],
)


@plugin.tool("anomaly.acknowledge", effect="mutate", rules=[MANAGE])
class AcknowledgeAnomaly:
    """Say for the person who asks that they have seen an anomaly and look after it.

    Find it with anomaly.list. It changes nothing about the check. `note` says what is being done.
    """

    Input = Acknowledgement
    title = "Acknowledge an anomaly"

    async def dry_run(self, ctx: Context, given: Acknowledgement) -> Preview:
        anomaly = await _open(ctx, given)
        return Preview(
            summary=f"Acknowledge that {anomaly.check_name} is {anomaly.worst}",
            diff=find_changes(
                {"acknowledged": None, "note": ""},
                {"acknowledged": ctx.principal.name, "note": given.note},
            ),
            basis=(Basis("anomaly.anomaly", str(anomaly.id), anomaly.version),),
        )

    async def execute(self, ctx: Context, given: Acknowledgement) -> Result:
        done = await ctx.call(acknowledge_anomaly, given)
        return Result(done.model_dump(mode="json", by_alias=True, exclude={"version"}))


async def _open(ctx: Context, given: Acknowledgement) -> Anomaly:
    try:
        anomaly = await load_anomaly(ctx, given.anomaly_id)
        check_unseen(anomaly)
    except NotFound:
        message = "There is no such anomaly. Use anomaly.list to find the id."
        raise ToolValidationError([Issue("anomalyId", message)]) from None
    except Conflict as error:
        raise ToolValidationError(error.issues) from None
    return anomaly
