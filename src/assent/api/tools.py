"""Routes for tools: which there are, and a call of one through the one door."""

from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from assent.actions.call import ToolCall, call_tool
from assent.api.parts import PartsOf
from assent.api.principal import Caller
from assent.api.problems import PROBLEM_RESPONSES
from assent.api.procedures import explain, read_body
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
    """`result` is cut to size; where something was dropped, `_truncated` in it says what."""

    result: Any
    truncated: bool


@router.get("", operation_id="tools_list", openapi_extra={"x-assent-effect": "read"})
async def list_tools(parts: PartsOf, caller: Caller) -> Page[OfferedTool]:
    """List the tools that the caller may use, by name."""
    tools = parts.loaded.tools.list_for(caller)
    return Page[OfferedTool](items=[_offer(tool) for tool in tools])


@router.post(
    "/{name}/call",
    operation_id="tools_call",
    response_model=ToolResult,
    openapi_extra={
        "x-assent-effect": "read",
        "requestBody": {
            "content": {"application/json": {"schema": ToolInput.model_json_schema(by_alias=True)}}
        },
    },
)
async def call(
    request: Request,
    parts: PartsOf,
    caller: Caller,
    name: Annotated[str, Path(max_length=200)],
) -> Response:
    """Call a tool that reads. A key may do this too."""
    try:
        given = ToolInput.model_validate(await read_body(request), by_alias=True, by_name=False)
    except ValidationError as error:
        raise explain(error) from None
    result = await call_tool(
        parts.means,
        ToolCall(
            name=strip_unstorable(name),
            arguments=strip_unstorable(given.input),
            principal=caller,
            edge="rest",
        ),
    )
    body = encode_json({"result": result.value, "truncated": result.truncated})
    return Response(body, media_type="application/json")


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
