"""What the demo model can do with health checks: look at them, propose any kind, delete one."""

from assent.bundled.healthcheck.declaration import plugin
from assent.plugins.api import Fill, Line, Pick, Playbook, Slot, Spot, Use

CHECK = "(health check|healthcheck|check)"
CHECKS = "(health checks|healthchecks|checks)"
SLOTS = {
    "url": Slot(kind="url", asks="Which address should it check?"),
    "interval": Slot(kind="interval", default="60 seconds"),
    "name": Slot(kind="name", default="${url|place}"),
    "system": Slot(kind="word", after=("for system", "for the system", "for")),
}
FOUND = {**SLOTS, "url": Slot(kind="url")}
"""Where another kind of check may need no address; what it needs is asked for by its schema."""
NEW_CHECK = {
    "workspaceId": "${workspace.id,systems.items.0.workspaceId}",
    "name": "${name,kind.title}",
    "systemIds": ["${assigned.id}"],
    "intervalSeconds": "${interval}",
    "timeoutMs": 5000,
}
PYTHON_DRAFT = """from assent_script import Script

URL = ${url|json}


def run(script: Script) -> dict:
    response = script.http.get(URL)
    return {
        "ok": response.status == 200,
        "message": f"answered {response.status}",
        "value": response.seconds,
    }
"""
SHELL_DRAFT = """http ${url|shell} > /tmp/body || exit 1
echo "{\\"ok\\": true, \\"value\\": $(wc -c < /tmp/body)}"
"""
TRIED = (
    Line(text="I wrote the script and tried it out; it gave ${test.result}."),
    Line(
        text="It ran behind weaker walls than this server is set up for.",
        when="${test.sandboxDowngraded}",
    ),
)
HOW = "**${row.name}** is ${row.status}${row.statusSince|since}${row.reason|because}"

PLACE = (
    Use(tool="catalog.listSystems", arguments={"limit": 200}, keep="systems", optional=True),
    Pick(
        rows="${systems.items}",
        named="system",
        noun="system",
        keep="assigned",
        when="${system}",
        optional=True,
    ),
)
"""The system that a new check is for, and the workspace where the conversation has none."""

LOOK = Use(
    tool="healthcheck.status",
    arguments={"q": "${name,kind.title}"},
    keep="present",
    optional=True,
    title="Look at its first run",
)
STANDS = (
    Line(
        text="${name,kind.title} runs every ${interval|duration}. After its first run it is "
        "**${present.items.0.status}**${present.items.0.reason|because}.",
        when="${present.items.0.lastRunAt}",
    ),
    Line(
        text="${name,kind.title} runs every ${interval|duration}. Its first run has begun; ask me "
        "how it is, or look at its page.",
        unless=("${present.items.0.lastRunAt}",),
    ),
)

plugin.playbook(
    Playbook(
        name="healthcheck.add",
        phrases=(
            "(check|probe|watch|monitor|look at) {url} (every|each|once) …",
            "(watch|monitor) {url} …",
            f"(create|add|set up|make|propose) … {CHECK} …",
        ),
        slots=FOUND,
        ignores="http https web checks probes watches address url",
        steps=(
            Use(tool="healthcheck.listCapabilities", keep="kinds"),
            Spot(
                rows="${kinds.strategies}", names=("kind", "title"), otherwise="http", keep="chosen"
            ),
            Use(
                tool="healthcheck.getCapabilitySchema",
                arguments={"kind": "${chosen.kind}"},
                keep="kind",
                title="See what such a check takes",
            ),
            Fill(schema="${kind.configSchema}", about="check", keep="config"),
            *PLACE,
            Use(
                tool="healthcheck.propose",
                arguments={
                    **NEW_CHECK,
                    "strategy": {"kind": "${kind.kind}", "config": "${config}"},
                },
                keep="made",
                title="Propose the check",
            ),
            LOOK,
        ),
        says=STANDS,
        example="Check https://example.com every minute",
        about=("check", "${name}"),
    )
)
LANGUAGES = (
    ("script", "healthcheck-script", PYTHON_DRAFT, ("script", "python")),
    ("shell", "healthcheck-shell", SHELL_DRAFT, ("shell script", "shell", "bash script", "bash")),
)
for kind, context, draft, said in LANGUAGES:
    plugin.playbook(
        Playbook(
            name=f"healthcheck.by{kind.title()}",
            phrases=tuple(
                phrase
                for word in said
                for phrase in (
                    f"(create|add|set up|make|write|propose) … {word} … {CHECK} …",
                    f"(create|add|set up|make|write|propose) … {CHECK} … {word} …",
                )
            ),
            slots=SLOTS,
            ignores="probes checks watches asks address url small",
            steps=(
                Use(
                    tool="ai.searchDocs",
                    arguments={"query": "health check script", "limit": 3},
                    keep="docs",
                    optional=True,
                    title="Read the documentation",
                ),
                Use(
                    tool="ai.getDoc",
                    arguments={"slug": "${docs.hits.0.slug}"},
                    keep="page",
                    when="${docs.hits.0}",
                    optional=True,
                ),
                Use(
                    tool="healthcheck.getScriptContext",
                    arguments={"context": context},
                    keep="surroundings",
                    title="See what a script can use",
                ),
                Use(tool="healthcheck.listCapabilities", keep="kinds"),
                Use(
                    tool="healthcheck.getCapabilitySchema",
                    arguments={"kind": kind},
                    keep="kind",
                    title="See what such a check takes",
                ),
                *PLACE,
                Use(
                    tool="healthcheck.testScript",
                    arguments={"context": context, "source": draft, "reach": ["${url}"]},
                    keep="test",
                    expects={"error": None, "timedOut": False},
                    otherwise="I wrote a draft, but trying it out went wrong: "
                    "${error,test.error|long}",
                    title="Write a draft and try it out",
                ),
                Use(
                    tool="healthcheck.propose",
                    arguments={
                        **NEW_CHECK,
                        "strategy": {"kind": kind, "config": {"source": draft}},
                        "egress": ["${url|origin}"],
                    },
                    keep="made",
                    prepared=TRIED,
                    title="Propose the check",
                ),
                LOOK,
            ),
            says=STANDS,
            example="Create a script health check that probes http://127.0.0.1:8080/healthz"
            if kind == "script"
            else "",
            about=("check", "${name}"),
        )
    )
plugin.playbook(
    Playbook(
        name="healthcheck.kinds",
        phrases=(
            f"(which|what) (kinds|kind|types|strategies) of {CHECKS} (are there|do you know|exist)",
            f"(which|what) (kinds|kind|types) of {CHECKS} can (I|you|we) (create|make|add|set up)",
            f"(list|show|show me) [all|the] (kinds|types|strategies) of {CHECKS}",
            f"what can [a|the] {CHECK} (do|check|watch|probe)",
            f"what can {CHECKS} (do|check|watch|probe)",
        ),
        steps=(Use(tool="healthcheck.listCapabilities", keep="kinds"),),
        says=(
            Line(text="A health check is of one of these kinds:"),
            Line(
                each="${kinds.strategies}",
                text="**${row.title}** (`${row.kind}`): ${row.description}",
            ),
            Line(text="From what they see, these take more:", when="${kinds.collectors}"),
            Line(
                each="${kinds.collectors}",
                text="**${row.title}** (`${row.kind}`, of `${row.strategy}`): ${row.description}",
            ),
        ),
        example="Which kinds of health checks are there?",
    )
)
plugin.playbook(
    Playbook(
        name="healthcheck.list",
        phrases=(
            f"(list|show|show me) [all|the|our|my] {CHECKS}",
            f"(which|what) {CHECKS} (are there|do we have|exist)",
            f"(how are|what is the status of) [all|the|our|my] {CHECKS} [doing]",
            f"[what is] [the] status of [all|the|our|my] {CHECKS}",
        ),
        steps=(Use(tool="healthcheck.status", arguments={"limit": 100}, keep="found"),),
        says=(
            Line(text="There are no health checks yet.", unless=("${found.items}",)),
            Line(text="These are the health checks:", when="${found.items}"),
            Line(each="${found.items}", text=HOW),
        ),
    )
)
for status, said in (("down", "down|failing|red"), ("up", "up|healthy|green")):
    plugin.playbook(
        Playbook(
            name=f"healthcheck.{status}",
            phrases=(f"(which|what|show me|list) [the|all] {CHECKS} [that] [are] ({said})",),
            steps=(Use(tool="healthcheck.status", arguments={"status": status}, keep="found"),),
            says=(
                Line(text=f"No health check is {status}.", unless=("${found.items}",)),
                Line(text=f"These are {status}:", when="${found.items}"),
                Line(each="${found.items}", text=HOW),
            ),
        )
    )
plugin.playbook(
    Playbook(
        name="healthcheck.one",
        phrases=(
            f"(how is|what is the status of|what about) [the] {CHECK} {{check}}",
            "(show|show me) [the] (runs|run history|history) of [the] "
            "[health check|healthcheck|check] {check}",
        ),
        slots={"check": Slot()},
        steps=(
            Use(tool="healthcheck.status", arguments={"limit": 200}, keep="found"),
            Pick(rows="${found.items}", named="check", noun="health check", keep="one"),
            Use(
                tool="healthcheck.runHistory",
                arguments={"checkId": "${one.id}", "limit": 5},
                keep="runs",
            ),
        ),
        says=(
            Line(text="**${one.name}** is ${one.status}${one.statusSince|since}."),
            Line(text="It has not run yet.", unless=("${runs.items}",)),
            Line(text="Its last runs:", when="${runs.items}"),
            Line(
                each="${runs.items}",
                text="${row.startedAt|moment}: ${row.status} after ${row.durationMs|rounded} ms"
                "${row.reason|because}",
            ),
        ),
        about=("check", "${one.name}"),
    )
)
plugin.playbook(
    Playbook(
        name="healthcheck.remove",
        phrases=(f"(delete|remove) [the] {CHECK} {{check}}",),
        slots={"check": Slot()},
        steps=(
            Use(tool="healthcheck.status", arguments={"limit": 200}, keep="found"),
            Pick(rows="${found.items}", named="check", noun="health check", keep="one"),
            Use(tool="healthcheck.delete", arguments={"checkId": "${one.id}"}, keep="gone"),
        ),
        says=(Line(text="${one.name} and its runs are gone."),),
    )
)
