"""What the demo model can tell about systems: what is wrong with them now."""

from assent.bundled.catalog.declaration import plugin
from assent.plugins.api import Line, Pick, Playbook, Slot, Use

TOLD = "${row.severity}: ${row.title}${row.since|since}${row.until|until}${row.also|also}"
ISSUE = Line(each="${row.issues}", text=TOLD)
UNKNOWN = (
    Line(text="I could not check everything:", when="${report.couldNotCheck}"),
    Line(each="${report.couldNotCheck}", text="${row.title}: ${row.reason}"),
    Line(text="You may not see everything:", when="${report.notAccessible}"),
    Line(each="${report.notAccessible}", text="${row.title} needs the rule ${row.rule}"),
)

plugin.playbook(
    Playbook(
        name="system.whatIsWrong",
        phrases=(
            "what is (wrong|broken|down|failing|going wrong) [here|currently|at the moment]",
            "is (anything|something) (wrong|broken|down|failing) [here|currently|at the moment]",
            "(is everything|are we|are all systems) (ok|fine|up|well|all right|working|healthy)",
            "(are there|do we have|show me|list|what are) [the|our|any|all] [current|open] "
            "(problems|issues) [here|currently|at the moment]",
            "(what|which) (problems|issues) (are there|do we have) [currently|at the moment]",
        ),
        steps=(Use(tool="system.issues", keep="report"),),
        says=(
            Line(
                text="Nothing is wrong right now: ${report.withoutIssues} systems show no issue.",
                unless=("${report.systems}", "${report.elsewhere}"),
            ),
            Line(text="This is wrong right now, the worst first:", when="${report.systems}"),
            Line(each="${report.systems}", text="**${row.name}**", inner=ISSUE),
            Line(text="Not tied to one system:", when="${report.elsewhere}"),
            Line(each="${report.elsewhere}", text=TOLD),
            Line(
                text="${report.withoutIssues} other systems show no issue.",
                when="${report.systems}",
            ),
            *UNKNOWN,
        ),
        example="What is wrong right now?",
    )
)
plugin.playbook(
    Playbook(
        name="system.whatIsWrongWith",
        phrases=(
            "what is (wrong|broken|the matter|the problem|up) with [the] [system] {system}",
            "(is|does) [the] [system] {system} (ok|fine|up|down|healthy|broken|work)",
        ),
        slots={"system": Slot(kind="word")},
        steps=(
            Use(tool="catalog.listSystems", arguments={"limit": 200}, keep="systems"),
            Pick(rows="${systems.items}", named="system", noun="system", keep="found"),
            Use(tool="system.issues", arguments={"systemId": "${found.id}"}, keep="report"),
        ),
        says=(
            Line(
                text="Nothing is wrong with **${found.name}** right now.",
                unless=("${report.systems}",),
            ),
            Line(each="${report.systems}", text="**${row.name}**", inner=ISSUE),
            *UNKNOWN,
        ),
        about=("system", "${found.name}"),
    )
)
