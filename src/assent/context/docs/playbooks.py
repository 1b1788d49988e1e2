"""What the demo model does with the documentation: search it, and name the page."""

from assent.models.demo.playbook import Line, Playbook, Slot, Use
from assent.plugins.assistant import plugin

DOCS = "(documentation|docs|manual|handbook|runbooks|documents)"

plugin.playbook(
    Playbook(
        name="ai.documentation",
        phrases=(
            f"what (does|do) [the|our] {DOCS} say about {{topic}}",
            f"(search|look in|consult|check|read) [the|our] {DOCS} (for|about|on) {{topic}}",
            f"(search for|find|look up) {{topic}} in [the|our] {DOCS}",
            "how (do|can|should|must) (i|we|you|one) {topic}",
            "how (does|do) {topic} work",
            "where (do|can|must) (i|we|one) {topic}",
        ),
        slots={"topic": Slot(asks="What should I look up in the documentation?")},
        steps=(
            Use(
                tool="ai.searchDocs",
                arguments={"query": "${topic}", "limit": 3},
                keep="found",
                otherwise="I could not search the documentation: ${error}",
            ),
        ),
        says=(
            Line(
                text="The documentation says nothing about “${topic}”, as far as I can find.",
                unless=("${found.hits}",),
            ),
            Line(
                text="This is what I found in **${found.hits.0.title}**"
                "${found.hits.0.heading|under}:",
                when="${found.hits}",
            ),
            Line(text="> ${found.hits.0.snippet|long}", when="${found.hits}"),
            Line(text="The pages that fit best:", when="${found.hits}"),
            Line(each="${found.hits}", text="**${row.title}** (`${row.slug}`)${row.heading|under}"),
        ),
        example="What does the documentation say about approval rules?",
    )
)
