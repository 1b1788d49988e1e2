"""Turns in which a scripted model calls tools, for tests of what it is grounded in."""

import json
from typing import Any

from assent.testing.provider import call, end, stream, text
from tests.turn.people import Person, expect
from tests.turn.talk import Streamed, Talk

SECRET = "ghp_" + "8Kd2mQx7Vt4Bn1Zc6Wy3Lf5Rj9Hs0PaGeUoI"
"""Looks like a credential, and so is hidden wherever it is kept."""


async def act(
    talk: Talk, conversation: str, said: str, *calls: tuple[str, dict[str, Any]], **more: Any
) -> Streamed:
    """A turn in which the model makes these calls, one after the other, and closes."""
    steps = [
        stream(call(name, json.dumps(given), index=0, id=f"c{number}"), end("tool_calls"))
        for number, (name, given) in enumerate(calls)
    ]
    talk.provider.clear()
    talk.provider.script(*steps, stream(text("There."), end()))
    return await talk.say(conversation, said, **more)


async def use(talk: Talk, tool: str, given: dict[str, Any], status: int = 200) -> Any:
    """What a tool that reads answers."""
    answer = await talk.client.post(f"/api/tools/{tool}/call", json={"input": given})
    body = expect(answer, status)
    return body["result"] if status == 200 else body


async def use_as(person: Person, tool: str, given: dict[str, Any]) -> Any:
    answer = await person.client.post(f"/api/tools/{tool}/call", json={"input": given})
    return expect(answer, 200)["result"]


async def find_card(talk: Talk, told: Streamed) -> dict[str, Any]:
    [part] = told.find("data-proposal")
    url = f"/api/proposals/{part['data']['proposalId']}"
    return expect(await talk.client.get(url), 200)


def read_prompt(talk: Talk, number: int = -1) -> str:
    """The instructions of a request, as the provider got them."""
    messages = talk.provider.requests[number].body["messages"]
    return "\n\n".join(one["content"] for one in messages if one["role"] == "system")


async def assent(talk: Talk, conversation: str, told: Streamed, **secrets: str) -> Any:
    """Apply the card of this turn, and wait until the model has reacted to that."""
    card = await find_card(talk, told)
    before = len(await talk.list_messages(conversation))
    talk.provider.clear()
    talk.provider.script(stream(text("Good."), end()))
    url = f"/api/proposals/{card['id']}"
    token = expect(await talk.client.post(f"{url}/token"), 200)["token"]
    body = {"token": token, "secrets": secrets} if secrets else {"token": token}
    done = expect(await talk.client.post(f"{url}/apply", json=body), 200)
    await talk.wait_for_messages(conversation, before + 1)
    return done["result"]
