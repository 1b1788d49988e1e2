"""What the demo model can do with the assistant's own tools. Pure."""

from assent.models.demo.playbook import Line, Playbook, Slot, Use

PROBE = Playbook(
    name="ai.probe",
    phrases=(
        "(probe|fetch|ping|request|look at|call|try) [the] [address|url|page] {url}",
        "(check|see|tell me) (if|whether) {url} (answers|is up|works|is reachable|responds)",
        "(is|does) {url} (up|reachable|working|answer|respond|work)",
        "what (does|is at|is on) {url} [answer|say|return]",
    ),
    slots={"url": Slot(kind="url", asks="Which address should I look at?")},
    steps=(
        Use(
            tool="ai.probeUrl",
            arguments={"url": "${url}"},
            keep="answer",
            otherwise="I could not look at ${url}: ${error}",
        ),
    ),
    says=(
        Line(
            text="${url} answered ${answer.status} ${answer.statusText}.",
            when="${answer.status}",
        ),
        Line(text="It leads to ${answer.location}.", when="${answer.location}"),
        Line(text="It sent ${answer.contentType}:", when="${answer.contentType}"),
        Line(text="> ${answer.bodySample|long}", when="${answer.bodySample}"),
    ),
)
