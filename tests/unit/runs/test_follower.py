"""A follower is greeted, told in order, and never holds more than it may."""

from uuid import UUID

from assent.identity.principal import Principal
from assent.ids import new_id
from assent.runs.follower import MOST_UNTOLD, Follower
from assent.runs.notice import HELLO, ConversationRemoved

PATIENCE = 30


def make_follower() -> Follower:
    return Follower(Principal(kind="user", id=new_id(), tenant_id=new_id(), name="Ann"))


def make_notice(number: int) -> ConversationRemoved:
    return ConversationRemoved(conversation_id=UUID(int=number))


async def test_it_is_greeted_first_and_told_in_order() -> None:
    follower = make_follower()
    follower.tell(make_notice(1))
    follower.tell(make_notice(2))
    assert await follower.read(PATIENCE) == [HELLO, make_notice(1), make_notice(2)]


async def test_nothing_to_tell_is_nothing() -> None:
    follower = make_follower()
    await follower.read(PATIENCE)
    assert await follower.read(0) == []


async def test_one_that_falls_behind_is_told_to_ask() -> None:
    follower = make_follower()
    await follower.read(PATIENCE)
    for number in range(MOST_UNTOLD):
        follower.tell(make_notice(number))
    assert len(await follower.read(PATIENCE) or []) == MOST_UNTOLD
    for number in range(MOST_UNTOLD + 1):
        follower.tell(make_notice(number))
    follower.tell(make_notice(0))
    assert await follower.read(PATIENCE) == [HELLO, make_notice(0)]


async def test_a_greeting_stands_for_what_came_before() -> None:
    follower = make_follower()
    follower.tell(make_notice(1))
    follower.greet()
    follower.tell(make_notice(2))
    assert await follower.read(PATIENCE) == [HELLO, make_notice(2)]


async def test_one_that_is_over_is_told_nothing_more() -> None:
    follower = make_follower()
    follower.end()
    follower.tell(make_notice(1))
    assert await follower.read(PATIENCE) is None
    assert await follower.read(PATIENCE) is None
