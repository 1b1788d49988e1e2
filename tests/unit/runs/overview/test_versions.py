"""Older versions, put together from their messages."""

from datetime import UTC, datetime
from uuid import UUID

from assent.runs.overview.line import FinishedMessage
from assent.runs.overview.versions import build_versions


def make(seq: int, role: str) -> FinishedMessage:
    return FinishedMessage.model_validate(
        {
            "id": UUID(int=seq),
            "seq": seq,
            "role": role,
            "author": "somebody",
            "client_id": None,
            "content": "",
            "parts": [],
            "run_id": None,
            "created_at": datetime(2026, 11, 1, tzinfo=UTC),
            "status": None,
            "error": None,
            "feedback": None,
        }
    )


FIRST = [make(1, "user"), make(2, "assistant"), make(3, "assistant")]
SECOND = [make(4, "user")]
FOUND = [*((UUID(int=4), one) for one in FIRST), *((UUID(int=5), one) for one in SECOND)]


def test_messages_are_grouped_by_what_took_their_place() -> None:
    built = build_versions(FOUND, 2)
    assert [(one.number, one.messages) for one in built] == [(1, FIRST), (2, SECOND)]


def test_a_version_without_its_beginning_is_left_out() -> None:
    built = build_versions(FOUND[1:], 9)
    assert [(one.number, one.messages) for one in built] == [(9, SECOND)]
    assert build_versions([], 0) == []
