"""The tool with which a model loads a guide, each at most once in a run."""

from collections.abc import Mapping

from pydantic import Field

from assent.context.guides.built_in import plugin
from assent.plugins.extension import Contribution
from assent.plugins.guide import POINT, Guide
from assent.plugins.procedure import Context
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value


class GuideRef(Value):
    name: str = Field(min_length=1, max_length=80, description="As the prompt lists them.")


@plugin.tool("ai.loadGuide", effect="read", rules=[], once_per_run=True)
class LoadGuide:
    """Load a guide: how to go about a certain kind of work. Before you begin with it, not after.

    Each one is needed once; it stays in this conversation.
    """

    title = "Load a guide"
    Input = GuideRef

    async def execute(self, ctx: Context, given: GuideRef) -> Result:
        guides = ctx.contributions(POINT)
        found = guides.get(given.name.strip())
        if found is None:
            raise ToolValidationError.at("name", f"There are these: {', '.join(guides)}.")
        guide: Guide = found.value
        return Result({"name": found.name, "title": guide.title, "text": guide.text})


def list_guides(guides: Mapping[str, Contribution]) -> tuple[tuple[str, str], ...]:
    """Names and what each is for, in their order: the prompt tells of them."""
    return tuple((name, one.value.when) for name, one in guides.items())
