"""Paging through a result that was too large to show."""

from uuid import UUID

from pydantic import Field

from assent.conversations.artifacts import load_artifact
from assent.errors import NotFound
from assent.plugins.assistant.declaration import plugin
from assent.plugins.procedure import Context
from assent.tools.artifact import page_of
from assent.tools.tool import Result, ToolValidationError
from assent.value import Value


class ArtifactPage(Value):
    artifact_id: UUID = Field(description="From the `_truncated` note of an earlier result.")
    path: str = Field("", max_length=500, description="Where to look, such as `items.0.notes`.")
    offset: int = Field(0, ge=0)
    limit: int = Field(50, ge=1, le=1000)


@plugin.tool("ai.readArtifact", effect="read", rules=[])
class ReadArtifact:
    """Read on in a result that was too large to show.

    Give the `artifactId` of the `_truncated` note. `path` says where in the result to look, as the
    note writes it; lists, objects and texts come piece by piece, from `offset` on.
    """

    Input = ArtifactPage

    async def execute(self, ctx: Context, given: ArtifactPage) -> Result:
        try:
            artifact = await load_artifact(ctx.db, ctx.principal, given.artifact_id)
        except NotFound as error:
            raise ToolValidationError.at("artifactId", error.message) from None
        page = page_of(artifact.value, path=given.path, offset=given.offset, limit=given.limit)
        return Result({"tool": artifact.tool, **page}, shows=artifact.tool)
