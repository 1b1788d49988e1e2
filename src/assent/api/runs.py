"""Routes for headless runs: started by a person, and read by whoever owns them."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query
from starlette.requests import Request

from assent.api.body import read_value
from assent.api.conversations import takes
from assent.api.parts import PartsOf
from assent.api.principal import Person
from assent.api.problems import PROBLEM_RESPONSES
from assent.runs.headless.cancel import cancel_task
from assent.runs.headless.reading import list_tasks, load_task
from assent.runs.headless.start import start_headless
from assent.runs.headless.task import TaskDraft, TaskLine, TaskQuery, TaskView
from assent.value import Page, Value

router = APIRouter(prefix="/api/runs", tags=["Runs"], responses=PROBLEM_RESPONSES)

RunId = Annotated[UUID, Path(alias="runId")]


class StartedRun(Value):
    run_id: UUID
    conversation_id: UUID


@router.post("", operation_id="runs_start", status_code=202, openapi_extra=takes(TaskDraft))
async def start(request: Request, parts: PartsOf, person: Person) -> StartedRun:
    """Start a headless run; the same `clientId` again answers with the run it started."""
    draft = await read_value(request, TaskDraft)
    run = await start_headless(parts.studio, person, draft)
    return StartedRun(run_id=run.id, conversation_id=run.conversation_id)


@router.get("", operation_id="runs_list")
async def list_all(
    parts: PartsOf, person: Person, query: Annotated[TaskQuery, Query()]
) -> Page[TaskLine]:
    """List one's own headless runs, the newest first."""
    async with parts.database.reading() as db:
        return await list_tasks(db, person, query)


@router.get("/{runId}", operation_id="runs_get")
async def get_one(parts: PartsOf, person: Person, run_id: RunId) -> TaskView:
    """How a headless run stands: its answer, its output, and what waits for a decision."""
    async with parts.database.reading() as db:
        return await load_task(db, person, run_id)


@router.post("/{runId}/cancel", operation_id="runs_cancel", status_code=202)
async def cancel(parts: PartsOf, person: Person, run_id: RunId) -> None:
    """Stop what runs, and end what waits; its open cards are withdrawn."""
    await cancel_task(parts.studio, person, run_id)
