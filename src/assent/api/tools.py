"""Routes for tools: which there are, and a call of one through the one door."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from assent.actions.call import Ran, ToolCall, call_tool
from assent.actions.cards import show_card
from assent.actions.proposal import Place
from assent.api.body import read_value
from assent.api.parts import PartsOf, read_parts
from assent.api.principal import Caller
from assent.api.problems import PROBLEM_RESPONSES
from assent.api.proposal_card import ProposalCard, answer_with
from assent.identity.access import load_granted_rules
from assent.tools.json_value import encode_json
from assent.tools.tool import Phase, Tool
from assent.value import Page, Value, strip_unstorable

router = APIRouter(prefix="/api/tools", tags=["Tools"], responses=PROBLEM_RESPONSES)


class OfferedTool(Value):
    """A tool that the caller may use. `rules` must all hold, at least somewhere."""

    name: str
    title: str
    description: str
    effect: str
    egress: bool
    input_schema: dict[str, Any]
    rules: list[str]
    phase: Phase


class ToolInput(Value):
    input: dict[str, Any] = Field({}, description="The arguments, by the tool's input schema.")


class ToolResult(Value):
    """`result` is cut to size; where something was dropped, `_truncated` in it says what.

    The whole of it is kept for a while: read it with `ai.readArtifact` and `artifactId`.
    """

    result: Any
    truncated: bool
    artifact_id: UUID | None


@router.get("", operation_id="tools_list", openapi_extra={"x-assent-effect": "read"})
async def list_tools(parts: PartsOf, caller: Caller) -> Page[OfferedTool]:
    """List the tools that the caller may use, by name."""
    async with parts.database.reading() as db:
        granted = await load_granted_rules(db, caller)
    tools = parts.loaded.tools.list_for(caller, granted=granted)
    return Page[OfferedTool](items=[_offer(tool) for tool in tools])


@router.post(
    "/{name}/call",
    operation_id="tools_call",
    response_model=ToolResult,
    responses={202: {"model": ProposalCard, "description": "A person has to decide."}},
    openapi_extra={
        "x-assent-effect": "read",
        "requestBody": {
            "content": {"application/json": {"schema": ToolInput.model_json_schema(by_alias=True)}}
        },
    },
)
async def call(
    request: Request, caller: Caller, name: Annotated[str, Path(max_length=200)]
) -> Response:
    """Call a tool. What only reads is answered; anything else becomes a proposal."""
    means = read_parts(request).means
    given = await read_value(request, ToolInput)
    answer = await call_tool(
        means,
        ToolCall(
            name=strip_unstorable(name),
            arguments=given.input,
            principal=caller,
            place=Place(edge="rest"),
        ),
    )
    if isinstance(answer, Ran):
        artifact_id = str(answer.artifact_id) if answer.artifact_id else None
        body = {
            "result": answer.value,
            "truncated": answer.truncated,
            "artifactId": artifact_id,
        }
        return Response(encode_json(body), media_type="application/json")
    return answer_with(await show_card(means, caller, answer.proposal), status=202)


def _offer(tool: Tool) -> OfferedTool:
    return OfferedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        effect=tool.behaviour.effect,
        egress=tool.behaviour.egress,
        input_schema=dict(tool.shape.input_schema),
        rules=list(tool.rules),
        phase=tool.phase,
    )
