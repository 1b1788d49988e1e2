"""What the demo model does with memories: keep what it is told to remember, and look it up."""

from assent.models.demo.playbook import Line, Playbook, Slot, Use
from assent.plugins.assistant import plugin

plugin.playbook(
    Playbook(
        name="ai.rememberThat",
        phrases=("(remember|note|keep in mind|do not forget) [that] {fact}",),
        slots={"fact": Slot(asks="What should I remember?")},
        steps=(Use(tool="ai.remember", arguments={"text": "${fact}"}, keep="kept"),),
        says=(Line(text="I will remember it for later conversations."),),
        example="Remember that we deploy on Tuesdays",
    )
)
plugin.playbook(
    Playbook(
        name="ai.recallAbout",
        phrases=(
            "what do you (remember|know) about {topic}",
            "what did i (tell you|say) about {topic}",
        ),
        slots={"topic": Slot()},
        steps=(Use(tool="ai.recall", arguments={"query": "${topic}"}, keep="found"),),
        says=(
            Line(text="I remember nothing about “${topic}”.", unless=("${found.memories}",)),
            Line(text="This was to be remembered:", when="${found.memories}"),
            Line(each="${found.memories}", text="${row.text|long}"),
        ),
    )
)
