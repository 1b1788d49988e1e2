"""SQL of tasks. How they stand is in the newest run of their conversation."""

from typing import Any
from uuid import UUID

from assent.db.database import Db, Row
from assent.runs.headless.task import AllowedTool, Task, TaskLine, TaskQuery
from assent.runs.run import RunStatus

COLUMNS = """
tasks.run_id, tasks.tenant_id, tasks.conversation_id, tasks.owner_id, tasks.principal_kind,
tasks.principal_id, tasks.client_id, tasks.output_schema, tasks.allowed
"""
INSERT = """
INSERT INTO tasks (run_id, tenant_id, conversation_id, owner_id, principal_kind, principal_id,
    client_id, output_schema, allowed)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
"""
FIND_OF_CONVERSATION = f"""
SELECT {COLUMNS} FROM tasks WHERE tenant_id = $1 AND conversation_id = $2
"""
FIND_AGAIN = """
SELECT run_id FROM tasks WHERE tenant_id = $1 AND principal_id = $2 AND client_id = $3
"""
LINE = """
tasks.run_id AS id, tasks.conversation_id, conversations.title, newest.agent, newest.error,
newest.id AS run_id, tasks.created_at, newest.finished_at,
CASE WHEN newest.status = 'superseded' THEN 'cancelled' ELSE newest.status END AS status
"""
SOURCE = """
FROM tasks
JOIN conversations ON conversations.tenant_id = tasks.tenant_id
    AND conversations.id = tasks.conversation_id
CROSS JOIN LATERAL (
    SELECT runs.id, runs.agent, runs.status, runs.error, runs.output, runs.finished_at FROM runs
    WHERE runs.tenant_id = tasks.tenant_id AND runs.conversation_id = tasks.conversation_id
    ORDER BY runs.id DESC LIMIT 1
) AS newest
WHERE tasks.tenant_id = $1 AND (tasks.owner_id = $2 OR tasks.principal_id = $2)
"""
LIST = f"""
SELECT * FROM (
    SELECT {LINE} {SOURCE} AND ($3::uuid IS NULL OR tasks.run_id < $3)
) AS line
WHERE $4::text IS NULL OR status = $4
ORDER BY id DESC LIMIT $5
"""
FIND_LINE = f"SELECT {LINE}, newest.output {SOURCE} AND tasks.run_id = $3"
NEWEST = """
SELECT id FROM runs WHERE tenant_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 1
"""
IS_CANCELLED = f"""
SELECT runs.status = 'cancelled' OR work.cancel_requested_at IS NOT NULL
FROM runs LEFT JOIN work ON work.id = runs.work_id
WHERE runs.tenant_id = $1 AND runs.id = ({NEWEST})
"""
END_WAITING = f"""
UPDATE runs SET status = $3, error = $4, finished_at = clock_timestamp()
WHERE tenant_id = $1 AND id = ({NEWEST}) AND status = 'waiting' RETURNING 1
"""
LIST_LEFT_OPEN = """
SELECT DISTINCT tasks.conversation_id FROM tasks
JOIN proposals ON proposals.tenant_id = tasks.tenant_id
    AND proposals.conversation_id = tasks.conversation_id AND proposals.state = 'proposed'
CROSS JOIN LATERAL (
    SELECT runs.status FROM runs
    WHERE runs.tenant_id = tasks.tenant_id AND runs.conversation_id = tasks.conversation_id
    ORDER BY runs.id DESC LIMIT 1
) AS newest
WHERE tasks.tenant_id = $1 AND newest.status = 'cancelled'
"""
COUNT_STEPS = "SELECT sum(steps) FROM runs WHERE tenant_id = $1 AND conversation_id = $2"
SUM_USAGE = """
SELECT coalesce(sum((usage ->> 'inputTokens')::bigint), 0) AS input,
       coalesce(sum((usage ->> 'outputTokens')::bigint), 0) AS output
FROM messages WHERE tenant_id = $1 AND conversation_id = $2
"""


async def insert_task(db: Db, task: Task) -> None:
    await db.execute(
        INSERT,
        task.run_id,
        task.tenant_id,
        task.conversation_id,
        task.owner_id,
        task.principal_kind,
        task.principal_id,
        task.client_id,
        task.output_schema,
        [one.model_dump(by_alias=True) for one in task.allowed],
    )


async def find_task(db: Db, tenant_id: UUID, conversation_id: UUID) -> Task | None:
    row = await db.fetchrow(FIND_OF_CONVERSATION, tenant_id, conversation_id)
    return _task(row) if row else None


async def find_again(db: Db, tenant_id: UUID, principal_id: UUID, client_id: str) -> UUID | None:
    """The run that was started under this name before."""
    return await db.fetchval(FIND_AGAIN, tenant_id, principal_id, client_id)


async def list_lines(
    db: Db, tenant_id: UUID, principal_id: UUID, query: TaskQuery, *, after: UUID | None
) -> list[TaskLine]:
    """One more than asked for, the newest first: what they own, and what acts for them."""
    rows = await db.fetch(LIST, tenant_id, principal_id, after, query.status, query.limit + 1)
    return [_line(row) for row in rows]


async def find_line(
    db: Db, tenant_id: UUID, principal_id: UUID, run_id: UUID
) -> tuple[TaskLine, Any] | None:
    """With its output."""
    row = await db.fetchrow(FIND_LINE, tenant_id, principal_id, run_id)
    return (_line(row), row["output"]) if row else None


async def count_steps(db: Db, tenant_id: UUID, conversation_id: UUID) -> int:
    return await db.fetchval(COUNT_STEPS, tenant_id, conversation_id) or 0


async def sum_usage(db: Db, tenant_id: UUID, conversation_id: UUID) -> tuple[int, int]:
    row = await db.fetchrow(SUM_USAGE, tenant_id, conversation_id)
    return (int(row["input"]), int(row["output"])) if row else (0, 0)


async def is_cancelled(db: Db, tenant_id: UUID, conversation_id: UUID) -> bool:
    """Or about to be: somebody has asked for it."""
    return bool(await db.fetchval(IS_CANCELLED, tenant_id, conversation_id))


async def list_left_open(db: Db, tenant_id: UUID) -> list[UUID]:
    """Conversations of cancelled tasks in which a card waits all the same."""
    return [row["conversation_id"] for row in await db.fetch(LIST_LEFT_OPEN, tenant_id)]


async def end_waiting(
    db: Db,
    tenant_id: UUID,
    conversation_id: UUID,
    status: RunStatus,
    error: dict[str, Any] | None = None,
) -> bool:
    """End what waits for decisions; whether that was so."""
    ended = await db.fetchval(END_WAITING, tenant_id, conversation_id, status, error)
    return ended is not None


def _task(row: Row) -> Task:
    fields: dict[str, Any] = dict(row)
    fields["allowed"] = tuple(AllowedTool(**one) for one in row["allowed"])
    return Task(**fields)


def _line(row: Row) -> TaskLine:
    return TaskLine(**{name: row[name] for name in TaskLine.model_fields})
