"""What whoever asked is told, for every state that a proposal can be in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from uuid import UUID

import pytest

from assent.actions.asking.told import SENTENCES, tell_of
from assent.actions.proposal import Change, Draft, Grounds, Outcome, Place, Proposal, State
from assent.audit.entry import Actor
from assent.tools.gate import Reason

URL = "https://assent.example/decide/1"
THEN = datetime(2026, 1, 1, tzinfo=UTC)
FAILED = {"code": "conflict", "message": "Not now.", "issues": []}


def build(state: State, outcome: Outcome | None = None, *, is_expired: bool = False) -> Proposal:
    draft = Draft(
        id=UUID(int=1),
        tenant_id=UUID(int=2),
        change=Change(
            tool="notes.rename",
            effect="mutate",
            egress=False,
            external=False,
            preview={"summary": "Rename it"},
            basis=(),
            payload_hash=b"",
        ),
        place=Place(edge="mcp"),
        proposer=Actor("user", UUID(int=3), "Ann"),
        owner_id=UUID(int=3),
        grounds=Grounds(Reason("not_a_person", "A person decides.")),
        lifetime=timedelta(days=7),
    )
    return Proposal(
        draft=draft,
        payload=b"",
        state=state,
        is_expired=is_expired,
        begun_at=None,
        created_at=THEN,
        expires_at=THEN,
        outcome=outcome or Outcome(),
    )


def test_every_state_has_words() -> None:
    assert set(SENTENCES) == set(get_args(State))


@pytest.mark.parametrize(
    ("state", "outcome", "beside"),
    [
        ("proposed", Outcome(), {"url": URL, "expiresAt": THEN.isoformat()}),
        ("applying", Outcome(), {}),
        ("applied", Outcome(result={"name": "b"}), {"result": {"name": "b"}}),
        ("failed", Outcome(error=FAILED), {"error": FAILED}),
        ("outcome_unknown", Outcome(error=FAILED), {"error": FAILED, "url": URL}),
        ("declined", Outcome(note="Not today."), {"reason": "Not today."}),
        ("declined", Outcome(), {}),
        ("expired", Outcome(), {}),
        ("voided", Outcome(error=FAILED), {"error": FAILED}),
        ("superseded", Outcome(superseded_by=UUID(int=9)), {}),
    ],
)
def test_each_says_what_it_means(state: State, outcome: Outcome, beside: dict[str, Any]) -> None:
    assert tell_of(build(state, outcome), url=URL) == {
        "proposalId": str(UUID(int=1)),
        "tool": "notes.rename",
        "summary": "Rename it",
        "state": state,
        "meaning": SENTENCES[state],
        **beside,
    }


def test_what_expired_before_anybody_marked_it_is_over() -> None:
    told = tell_of(build("proposed", is_expired=True), url=URL)
    assert (told["state"], told["meaning"]) == ("expired", SENTENCES["expired"])
    assert "url" not in told


@pytest.mark.parametrize(
    ("given", "missing", "meaning"),
    [
        (0, 2, SENTENCES["proposed"]),
        (1, 1, "Nothing was changed yet: 1 assented, and one more person has to."),
        (1, 2, "Nothing was changed yet: 1 assented, and 2 more people have to."),
    ],
)
def test_further_assents_are_counted(given: int, missing: int, meaning: str) -> None:
    told = tell_of(build("proposed"), url=URL, given=given, missing=missing)
    assert told["meaning"] == meaning
    assert told["approvals"] == {"given": given, "missing": missing}


def test_what_took_the_place_of_another_says_so() -> None:
    old = build("proposed")
    new = replace(old, draft=replace(old.draft, supersedes=UUID(int=8)))
    assert tell_of(new, url=URL)["supersedes"] == str(UUID(int=8))
