"""Proposals as values: who sees and decides, when they are over, how long they last."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args
from uuid import UUID

import pytest

from assent.actions.proposal import (
    CHAT_LIFETIME,
    OTHER_LIFETIME,
    OVER,
    Change,
    Draft,
    Grounds,
    Outcome,
    Place,
    Proposal,
    State,
    check_may_decide,
    check_may_see,
    check_open,
    encode_basis,
    find_lifetime,
    has_moved,
    parse_basis,
)
from assent.audit.entry import Actor
from assent.errors import AssentError, Conflict, Expired, MissingRule, NotFound
from assent.identity.principal import Principal
from assent.tools.gate import Edge, Reason
from assent.tools.tool import Basis, Behaviour, Functions, Preview, Result, Shape, Tool

RULE = "notes.note.manage"
TENANT, OWNER, OTHER, ROBOT, CONVERSATION = (UUID(int=number) for number in range(1, 6))
THEN = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Actor("user", OWNER, "Ann")
BASIS = (Basis("note", "1", 3), Basis("group", "2", "x"))


async def execute(_ctx: object, _given: object) -> Result:
    return Result()


TOOL = Tool(
    name="notes.rename",
    title="Rename",
    description="Rename a note.",
    rules=(RULE,),
    shape=Shape(input_schema={"type": "object"}),
    behaviour=Behaviour(effect="mutate"),
    functions=Functions(execute=execute),
)
CHANGE = Change(
    tool=TOOL.name,
    effect="mutate",
    egress=False,
    external=False,
    preview={},
    basis=BASIS,
    payload_hash=b"",
)


def proposal(
    *,
    state: State = "proposed",
    expired: bool = False,
    proposer: Actor = ANN,
    conversation_id: UUID | None = None,
) -> Proposal:
    draft = Draft(
        id=UUID(int=9),
        tenant_id=TENANT,
        change=CHANGE,
        place=Place(edge="rest", conversation_id=conversation_id),
        proposer=proposer,
        owner_id=OWNER,
        grounds=Grounds(Reason("mode_approve", "…")),
        lifetime=timedelta(days=7),
    )
    return Proposal(
        draft=draft,
        payload=b"",
        state=state,
        is_expired=expired,
        begun_at=None,
        created_at=THEN,
        expires_at=THEN,
        outcome=Outcome(),
    )


def person(user_id: UUID = OTHER, *rules: str, session: bool = True, **more: object) -> Principal:
    given = {
        "kind": "user",
        "id": user_id,
        "tenant_id": TENANT,
        "name": "Bob",
        "rules": frozenset(rules),
        "session_id": UUID(int=7) if session else None,
        **more,
    }
    return Principal(**given)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("state", [state for state in get_args(State) if state != "proposed"])
def test_over_is_over(state: State) -> None:
    kind = Expired if state == "expired" else Conflict
    with pytest.raises(kind) as caught:
        check_open(proposal(state=state))
    assert caught.value.message == OVER[state]


def test_expired_counts_before_it_is_marked() -> None:
    check_open(proposal())
    late = proposal(expired=True)
    assert (late.state, late.present_state) == ("proposed", "expired")
    with pytest.raises(Expired):
        check_open(late)
    assert proposal(state="applied", expired=True).present_state == "applied"


ROBOTS = Actor("application", ROBOT, "robot")
WORKSPACE = {UUID(int=8): frozenset({RULE})}


@pytest.mark.parametrize(
    ("who", "sees", "decides"),
    [
        (person(OWNER, RULE), True, None),
        (person(OWNER), True, MissingRule),
        (person(OWNER, workspace_rules=WORKSPACE), True, None),
        (person(OTHER, RULE), True, None),
        (person(OTHER, "*"), True, None),
        (person(OTHER), False, NotFound),
        (person(OTHER, "notes.note.read"), False, NotFound),
        (person(OTHER, workspace_rules=WORKSPACE), False, NotFound),
        (person(OTHER, RULE, session=False), False, NotFound),
    ],
)
def test_a_persons_own(who: Principal, sees: bool, decides: type[AssentError] | None) -> None:
    expect(proposal(), who, sees=sees, decides=decides)


@pytest.mark.parametrize(
    "of", [proposal(conversation_id=CONVERSATION), proposal(proposer=ROBOTS)], ids=["chat", "robot"]
)
def test_only_its_owner_decides(of: Proposal) -> None:
    expect(of, person(OWNER, RULE), sees=True, decides=None)
    expect(of, person(OTHER, "*"), sees=False, decides=NotFound)


def test_the_robot_sees_its_own() -> None:
    robot = person(ROBOT, RULE, session=False, kind="application")
    check_may_see(proposal(proposer=ROBOTS), TOOL, robot)
    with pytest.raises(NotFound):
        check_may_see(proposal(), TOOL, robot)


def test_a_grant_is_enough_for_ones_own() -> None:
    check_may_decide(proposal(), TOOL, person(OWNER), {RULE})
    with pytest.raises(NotFound):
        check_may_decide(proposal(), TOOL, person(OTHER), {RULE})


def expect(of: Proposal, who: Principal, *, sees: bool, decides: type[AssentError] | None) -> None:
    if sees:
        check_may_see(of, TOOL, who)
    else:
        with pytest.raises(NotFound):
            check_may_see(of, TOOL, who)
    if decides is None:
        check_may_decide(of, TOOL, who, ())
    else:
        with pytest.raises(decides):
            check_may_decide(of, TOOL, who, ())


def test_a_tool_that_is_gone_hides_others() -> None:
    check_may_see(proposal(), None, person(OWNER))
    with pytest.raises(NotFound):
        check_may_see(proposal(), None, person(OTHER, "*"))


@pytest.mark.parametrize(
    ("edge", "of_tool", "of_card", "lifetime"),
    [
        ("chat", None, None, CHAT_LIFETIME),
        ("rest", None, None, OTHER_LIFETIME),
        ("mcp", None, None, OTHER_LIFETIME),
        ("headless", None, None, OTHER_LIFETIME),
        ("chat", 30, None, timedelta(seconds=30)),
        ("chat", 30, 20, timedelta(seconds=20)),
    ],
)
def test_lifetimes(
    edge: Edge, of_tool: int | None, of_card: int | None, lifetime: timedelta
) -> None:
    expires = timedelta(seconds=of_tool) if of_tool else None
    tool = replace(TOOL, behaviour=replace(TOOL.behaviour, expires_after=expires))
    preview = Preview(summary="…", expires_after=timedelta(seconds=of_card) if of_card else None)
    assert find_lifetime(tool, preview, edge) == lifetime


def test_a_basis_survives_its_encoding() -> None:
    assert parse_basis(encode_basis(BASIS)) == BASIS


@pytest.mark.parametrize(
    ("now", "moved"),
    [
        (CHANGE, False),
        (replace(CHANGE, basis=BASIS[::-1]), False),
        (replace(CHANGE, preview={"summary": "other words"}), False),
        (replace(CHANGE, basis=BASIS[:1]), True),
        (replace(CHANGE, basis=(Basis("note", "1", 4), BASIS[1])), True),
        (replace(CHANGE, basis=(*BASIS, Basis("note", "5", 1))), True),
        (replace(CHANGE, effect="destructive"), True),
        (replace(CHANGE, egress=True), True),
    ],
)
def test_what_counts_as_moved(now: Change, moved: bool) -> None:
    assert has_moved(CHANGE, now) is moved
