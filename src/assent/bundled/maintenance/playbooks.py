"""What the demo model can do with maintenance: schedule a window from what a person says."""

from assent.bundled.maintenance.declaration import plugin
from assent.plugins.api import Line, Pick, Playbook, Slot, Use

plugin.playbook(
    Playbook(
        name="maintenance.schedule",
        phrases=(
            "(schedule|plan|announce|add|create|set up) [a|the|some] [planned] "
            "(maintenance|maintenance window|downtime) …",
        ),
        slots={
            "start": Slot(kind="start", asks="When does it begin? For example tomorrow 22:00."),
            "end": Slot(kind="end", asks="When is it over? For example tomorrow 23:00."),
            "system": Slot(kind="word", after=("for system", "of system", "for", "of")),
            "long": Slot(default="Maintenance of ${system}"),
            "short": Slot(default="Maintenance"),
            "title": Slot(kind="name", default="${long,short}"),
        },
        steps=(
            Use(
                tool="catalog.listSystems", arguments={"limit": 200}, keep="systems", optional=True
            ),
            Pick(
                rows="${systems.items}",
                named="system",
                noun="system",
                keep="affected",
                when="${system}",
                optional=True,
            ),
            Use(
                tool="maintenance.create",
                arguments={
                    "workspaceId": "${workspace.id,systems.items.0.workspaceId}",
                    "title": "${title}",
                    "systemIds": ["${affected.id}"],
                    "startsAt": "${start}",
                    "endsAt": "${end}",
                },
                keep="window",
            ),
        ),
        says=(Line(text="${title} is planned for ${start|moment} to ${end|moment}."),),
        ignores="from to until between system",
        about=("maintenance", "${title}"),
    )
)
plugin.playbook(
    Playbook(
        name="maintenance.planned",
        phrases=(
            "(list|show|show me) [all|the|our] [planned|open] (maintenance|maintenance windows)",
            "(which|what) (maintenance|maintenance windows) [is|are] [there|planned|scheduled]",
        ),
        steps=(Use(tool="maintenance.list", arguments={"open": True}, keep="found"),),
        says=(
            Line(text="No maintenance is planned or under way.", unless=("${found.items}",)),
            Line(text="Planned or under way:", when="${found.items}"),
            Line(
                each="${found.items}",
                text="**${row.title}** from ${row.startsAt|moment} to ${row.endsAt|moment}",
            ),
        ),
    )
)
