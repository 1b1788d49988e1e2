"""Entries as a table."""

import csv
from datetime import UTC, datetime
from uuid import UUID

from assent.audit.listing import AuditEntry, ListedActor
from assent.audit.table import COLUMNS, write_heading, write_rows

ENTRY = AuditEntry(
    id=UUID(int=1),
    occurred_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    edge="chat",
    action="catalog.deleteSystem",
    effect="destructive",
    status="applied",
    actor=ListedActor(kind="application", id=UUID(int=2), name='=HYPERLINK("x")'),
    decider=ListedActor(kind="user", id=None, name='Zoë, "the" operator'),
    arguments_hash="ab",
    conversation_id=None,
    run_id=None,
    proposal_id=UUID(int=3),
    sealed=True,
    position=7,
)


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_one_line_for_each_entry() -> None:
    assert tuple(write_heading().rstrip().split(",")) == COLUMNS
    [first, second] = read(write_heading() + write_rows([ENTRY, ENTRY]))
    assert first == second
    assert {name: first[name] for name in ("occurredAt", "decider", "deciderId", "runId")} == {
        "occurredAt": "2026-01-02T03:04:05+00:00",
        "decider": 'Zoë, "the" operator',
        "deciderId": "",
        "runId": "",
    }
    assert (first["position"], first["actorKind"]) == ("7", "application")


def test_no_cell_is_a_formula() -> None:
    [row] = read(write_heading() + write_rows([ENTRY]))
    assert row["actor"] == '\'=HYPERLINK("x")'


def test_what_is_not_sealed_has_no_place() -> None:
    entry = ENTRY.model_copy(update={"position": None, "sealed": False, "decider": None})
    [row] = read(write_heading() + write_rows([entry]))
    assert (row["position"], row["decider"]) == ("", "")
