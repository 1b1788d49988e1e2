"""Audit entries as a table for spreadsheets. Pure."""

import csv
from collections.abc import Iterable
from io import StringIO

from assent.audit.listing import AuditEntry
from assent.value import tame_cell

COLUMNS = (
    "occurredAt",
    "edge",
    "action",
    "effect",
    "status",
    "actor",
    "actorKind",
    "actorId",
    "decider",
    "deciderId",
    "argumentsHash",
    "conversationId",
    "runId",
    "proposalId",
    "position",
    "id",
)


def write_heading() -> str:
    return _write([COLUMNS])


def write_rows(entries: Iterable[AuditEntry]) -> str:
    return _write(_list_cells(entry) for entry in entries)


def _list_cells(entry: AuditEntry) -> list[object]:
    decider = entry.decider
    return [
        entry.occurred_at.isoformat(),
        entry.edge,
        tame_cell(entry.action),
        entry.effect,
        entry.status,
        tame_cell(entry.actor.name),
        entry.actor.kind,
        entry.actor.id or "",
        tame_cell(decider.name) if decider else "",
        (decider.id if decider else None) or "",
        entry.arguments_hash,
        entry.conversation_id or "",
        entry.run_id or "",
        entry.proposal_id or "",
        entry.position or "",
        entry.id,
    ]


def _write(rows: Iterable[Iterable[object]]) -> str:
    out = StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()
