"""Two tabs that say something in one conversation in the same moment, on two servers.

Both messages are stored, in one order for everybody; the later one takes the place of the turn that
the earlier one began.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from assent.testing import Client, Databases
from assent.testing.provider import Asked, Scripted, end, stream, text
from tests.patience import wait_until
from tests.turn.people import expect
from tests.turn.talk import Streamed, parse_stream
from tests.turn.test_chat_elsewhere import Apart, open_apart

ROUNDS = 8


@pytest_asyncio.fixture(scope="module")
async def apart(databases: Databases) -> AsyncGenerator[Apart]:
    async with open_apart(databases) as opened:
        opened.here.provider.script(*[repeat] * 100)
        yield opened


def repeat(asked: Asked) -> Scripted:
    """An answer with what the person said last."""
    said = str(asked.body["messages"][-1]["content"])
    return stream(text("You said: ", said, "."), end(), pause=0.01)


async def say(client: Client, conversation: str, said: str) -> Streamed:
    """The words are the id of the message too."""
    body = {"conversationId": conversation, "message": {"id": said, "text": said}}
    answer = await client.post("/api/chat", json=body)
    assert answer.status_code == 200, answer.text
    return parse_stream(answer.text)


async def list_said(client: Client, conversation: str) -> list[tuple[str, str, str | None]]:
    url = f"/api/conversations/{conversation}/messages"
    items = expect(await client.get(url), 200)["items"]
    return [(one["role"], join_texts(one["parts"]), one["metadata"].get("status")) for one in items]


async def is_over(client: Client, conversation: str) -> bool:
    return expect(await client.get(f"/api/conversations/{conversation}"), 200)["status"] == "idle"


def join_texts(parts: list[dict[str, Any]]) -> str:
    return "".join(part.get("text", "") for part in parts)


@pytest.mark.parametrize("_round", range(ROUNDS))
async def test_of_two_messages_at_once_the_later_is_answered(apart: Apart, _round: int) -> None:
    conversation = await apart.here.open()
    streamed = dict(
        zip(
            ("one", "other"),
            await asyncio.gather(
                say(apart.here.client, conversation, "one"), say(apart.there, conversation, "other")
            ),
            strict=True,
        )
    )
    await wait_until(lambda: is_over(apart.here.client, conversation))
    stored = await list_said(apart.here.client, conversation)
    assert stored == await list_said(apart.there, conversation)
    (_, earlier, _), *begun, (_, later, _), (_, answer, is_now) = stored
    roles = [role for role, _, _ in stored]
    assert roles == ["user", *["assistant"] * len(begun), "user", "assistant"]
    assert {earlier, later} == {"one", "other"}
    assert is_now == "completed"
    for _, given_up, was in begun:
        assert was == "superseded"
        assert f"You said: {earlier}.".startswith(given_up)
    assert len(begun) <= 1
    assert answer == streamed[later].text
    assert answer.endswith(f"{later}.")
    assert all(one.ended for one in streamed.values())


@pytest.mark.parametrize("_round", range(ROUNDS))
async def test_one_message_sent_twice_at_once_is_one(apart: Apart, _round: int) -> None:
    conversation = await apart.here.open()
    one, other = await asyncio.gather(
        say(apart.here.client, conversation, "same"), say(apart.there, conversation, "same")
    )
    assert one.events == other.events
    assert await list_said(apart.there, conversation) == [
        ("user", "same", None),
        ("assistant", "You said: same.", "completed"),
    ]
