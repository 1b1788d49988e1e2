"""What people do with a conversation: try again, branch, export, rate and find again."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest_asyncio

from assent.ids import new_id
from assent.testing import Databases
from assent.testing.provider import call, end, stream, text
from tests.bank.desk import apply_with, ask_token
from tests.patience import wait_until
from tests.turn.people import add_person, expect, fetch_value
from tests.turn.talk import Talk, open_talk, parse_stream

LOCK = "SELECT 1 FROM proposals WHERE id = $1 FOR UPDATE"


@pytest_asyncio.fixture(scope="module")
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


def read(messages: list[dict[str, Any]]) -> list[str]:
    return ["".join(part.get("text", "") for part in one["parts"]) for one in messages]


async def exchange(talk: Talk, conversation: str, said: str, answer: str) -> None:
    talk.provider.script(stream(text(answer), end()))
    await talk.say(conversation, said)


async def propose(talk: Talk, conversation: str) -> tuple[str, UUID]:
    """A turn that ends with a card."""
    account = await talk.open_account(balance=100)
    arguments = json.dumps({"accountId": str(account), "amount": 5})
    talk.provider.script(
        stream(call("bank_deposit", arguments), end("tool_calls")),
        stream(text("There is a card."), end()),
    )
    await talk.say(conversation, "Deposit five")
    (card,) = (await talk.view(conversation))["pending"]
    return card["id"], account


async def retry(talk: Talk, conversation: str, status: int = 202, **body: Any) -> dict[str, Any]:
    url = f"/api/conversations/{conversation}/retry"
    return expect(await talk.client.post(url, json=body), status)


async def test_a_message_is_written_anew(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "First", "One.")
    await exchange(talk, conversation, "Secnod", "What?")
    talk.provider.script(stream(text("Two."), end()))
    last = (await talk.list_messages(conversation))[-2]
    await retry(talk, conversation, messageId=last["id"], text="Second")
    messages = await talk.wait_for_messages(conversation, 4)
    assert read(messages) == ["First", "One.", "Second", "Two."]
    asked = talk.provider.requests[-1].body["messages"][1:]
    assert [one["content"] for one in asked] == ["First", "One.", "Second"]
    old = "SELECT superseded_by::text FROM messages WHERE id = $1"
    assert await fetch_value(talk.server, old, UUID(last["id"])) == messages[2]["id"]


async def test_regenerate_of_the_sdk(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "Say it", "Badly.")
    said, answer = await talk.list_messages(conversation)
    talk.provider.script(stream(text("Well."), end()))
    body = {
        "id": conversation,
        "trigger": "regenerate-message",
        "messageId": answer["id"],
        "messages": [{"id": said["id"], "role": "user", "parts": said["parts"]}],
    }
    answered = await talk.client.post("/api/chat", json=body)
    assert parse_stream(answered.text).text == "Well."
    assert read(await talk.list_messages(conversation)) == ["Say it", "Well."]


async def test_the_same_retry_again_is_the_same(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "Say it", "Badly.")
    talk.provider.script(stream(text("Well."), end()))
    both = await asyncio.gather(*(retry(talk, conversation, id="again-1") for _ in range(2)))
    assert both[0]["runId"] == both[1]["runId"]
    assert len(await talk.wait_for_messages(conversation, 2)) == 2


async def test_of_two_retries_of_one_message_one_is_told_that_it_is_late(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "Say it", "Badly.")
    last = (await talk.list_messages(conversation))[-1]["id"]
    talk.provider.script(stream(text("Well."), end()))
    url = f"/api/conversations/{conversation}/retry"
    both = await asyncio.gather(
        *(talk.client.post(url, json={"messageId": last, "text": one}) for one in ("A", "B"))
    )
    assert sorted(one.status_code for one in both) == [202, 409]
    assert len(await talk.wait_for_messages(conversation, 2)) == 2


async def test_an_earlier_message_cannot_be_tried_again(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "First", "One.")
    await exchange(talk, conversation, "Second", "Two.")
    first = (await talk.list_messages(conversation))[0]["id"]
    refused = await retry(talk, conversation, 409, messageId=first, text="Else")
    assert refused["issues"][0]["path"] == "messageId"
    other = (await add_person(talk.server, talk.tenant.id)).client
    answer = await other.post(f"/api/conversations/{conversation}/retry", json={})
    assert answer.status_code == 404


async def test_a_running_turn_gives_way(talk: Talk) -> None:
    conversation = await talk.open()
    talk.provider.script(stream(text(*(["so "] * 200)), end(), pause=0.2))
    url = f"/api/conversations/{conversation}/messages"
    expect(await talk.client.post(url, json={"text": "Go on"}), 202)
    await talk.wait_for_text(conversation, "so ")
    talk.provider.script(stream(text("Short."), end()))
    await retry(talk, conversation, text="Be brief")
    messages = await talk.wait_for_messages(conversation, 2)
    assert read(messages) == ["Be brief", "Short."]


async def test_cards_of_the_older_version_are_voided(talk: Talk) -> None:
    conversation = await talk.open()
    card, _ = await propose(talk, conversation)
    talk.provider.script(stream(text("Nothing, then."), end()))
    await retry(talk, conversation, text="Do nothing")
    await talk.wait_for_messages(conversation, 2)
    found = expect(await talk.client.get(f"/api/proposals/{card}"), 200)
    assert found["state"] == "voided"
    assert (await talk.view(conversation))["status"] == "idle"


async def test_a_card_that_is_being_applied_is_not_voided(talk: Talk) -> None:
    conversation = await talk.open()
    card, _ = await propose(talk, conversation)
    token = await ask_token(talk.client, card)
    talk.provider.script(stream(text("Nothing, then."), end()), stream(text("It was done."), end()))
    async with talk.server.database.transaction() as db:
        await db.execute(LOCK, UUID(card))
        await retry(talk, conversation, text="Do nothing")
        applying = asyncio.create_task(apply_with(talk.client, card, token))
        await talk.wait_for_messages(conversation, 2)
    assert (await applying)["state"] == "applied"


async def list_versions(talk: Talk, conversation: str, message: str) -> list[dict[str, Any]]:
    url = f"/api/conversations/{conversation}/messages/{message}/versions"
    return expect(await talk.client.get(url), 200)["items"]


async def say_thrice(talk: Talk) -> str:
    """After something else: a message, tried again, then written anew and answered after it."""
    conversation = await talk.open()
    await exchange(talk, conversation, "Before", "Yes.")
    await exchange(talk, conversation, "Frist", "One.")
    for answer, given in (("Two.", {}), ("Three.", {"text": "First"})):
        talk.provider.script(stream(text(answer), end()))
        await retry(talk, conversation, **given)
        await talk.wait_for_messages(conversation, 4)
    await exchange(talk, conversation, "After", "Well.")
    return conversation


async def test_older_versions_are_read_with_their_answers(talk: Talk) -> None:
    conversation = await say_thrice(talk)
    messages = await talk.list_messages(conversation)
    assert [one["metadata"]["versions"] for one in messages] == [1, 1, 3, 1, 1, 1]
    older = await list_versions(talk, conversation, messages[2]["id"])
    assert [(one["number"], read(one["messages"])) for one in older] == [
        (1, ["Frist", "One."]),
        (2, ["Frist", "Two."]),
    ]
    for other in (messages[0], messages[3], older[0]["messages"][0]):
        assert await list_versions(talk, conversation, other["id"]) == []
    stranger = (await add_person(talk.server, talk.tenant.id)).client
    url = f"/api/conversations/{conversation}/messages/{messages[2]['id']}/versions"
    assert (await stranger.get(url)).status_code == 404
    unknown = url.replace(messages[2]["id"], str(new_id()))
    assert (await talk.client.get(unknown)).status_code == 404


async def test_an_older_version_is_continued_in_a_branch(talk: Talk) -> None:
    conversation = await say_thrice(talk)
    said = (await talk.list_messages(conversation))[2]["id"]
    _, second = await list_versions(talk, conversation, said)
    url = f"/api/conversations/{conversation}/branch"
    body = {"messageId": second["messages"][-1]["id"]}
    made = expect(await talk.client.post(url, json=body), 201)
    copied = await talk.list_messages(made["id"])
    assert read(copied) == ["Before", "Yes.", "Frist", "Two."]
    assert [one["metadata"]["versions"] for one in copied] == [1, 1, 1, 1]


async def test_a_branch_has_all_but_what_waits(talk: Talk) -> None:
    conversation = await talk.open(mode="auto")
    sent = await talk.client.post("/api/files", files={"file": ("note.txt", b"Read me")})
    file_id = expect(sent, 201)["id"]
    talk.provider.script(stream(text("Seen."), end()))
    await talk.say(conversation, "Look", fileIds=[file_id])
    card, _ = await propose(talk, conversation)
    last = (await talk.list_messages(conversation))[-1]["id"]
    url = f"/api/conversations/{conversation}/branch"
    made = expect(await talk.client.post(url, json={"messageId": last}), 201)
    assert (made["title"], made["mode"]) == ("Talk (branch)", "approve")
    copied = await talk.list_messages(made["id"])
    assert read(copied) == read(await talk.list_messages(conversation))
    (receipt,) = [part for part in copied[-1]["parts"] if part["type"] == "data-receipt"]
    assert receipt["data"]["state"] == "not_carried_over"
    assert "proposalId" not in json.dumps(copied)
    assert receipt["id"] == card
    view = await talk.view(made["id"])
    assert (view["status"], view["pending"], view["unread"]) == ("idle", [], False)
    talk.provider.script(stream(text("Going on."), end()))
    await talk.say(made["id"], "Go on")
    assert len(await talk.list_messages(conversation)) == len(copied)
    taint = "SELECT taint::text FROM runs WHERE conversation_id = $1"
    assert "note.txt" in await fetch_value(talk.server, taint, UUID(made["id"]))


async def test_a_branch_of_read_mail_stays_tainted(talk: Talk) -> None:
    conversation = await talk.open()
    talk.provider.script(
        stream(call("bank_readMail", "{}"), end("tool_calls")), stream(text("Read."), end())
    )
    await talk.say(conversation, "Read my mail")
    first = (await talk.list_messages(conversation))[0]["id"]
    url = f"/api/conversations/{conversation}/branch"
    made = expect(await talk.client.post(url, json={"messageId": first}), 201)
    talk.provider.script(stream(text("Hello."), end()))
    await talk.say(made["id"], "Hi")
    taint = "SELECT taint::text FROM runs WHERE conversation_id = $1"
    assert "bank.readMail" in await fetch_value(talk.server, taint, UUID(made["id"]))


async def test_an_export_has_everything(talk: Talk) -> None:
    conversation = await talk.open()
    card, _ = await propose(talk, conversation)
    answer = (await talk.list_messages(conversation))[-1]["id"]
    given = {"rating": "down", "reasons": ["wrong"], "comment": "No."}
    expect(await talk.client.put(f"/api/messages/{answer}/feedback", json=given), 200)
    url = f"/api/conversations/{conversation}/export"
    whole = await talk.client.get(url)
    assert whole.headers["content-disposition"] == "attachment; filename*=UTF-8''Talk.json"
    exported = whole.json()
    assert [one["role"] for one in exported["messages"]] == ["user", "assistant"]
    parts = exported["messages"][1]["parts"]
    (proposed,) = [one for one in parts if one["type"] == "data-proposal"]
    assert (proposed["data"]["proposalId"], proposed["data"]["state"]) == (card, "proposed")
    assert exported["messages"][1]["feedback"] == given
    assert "_wire" not in whole.text
    markdown = await talk.client.get(url, params={"format": "markdown"})
    for words in ("# Talk", "Deposit five", "bank.deposit", "There is a card.", "Rated down"):
        assert words in markdown.text
    other = (await add_person(talk.server, talk.tenant.id)).client
    assert (await other.get(url)).status_code == 404


async def test_feedback_is_ones_own_and_comes_back(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "Hi", "Hello.")
    said, answer = await talk.list_messages(conversation)
    url = f"/api/messages/{answer['id']}/feedback"
    expect(await talk.client.put(url, json={"rating": "up"}), 200)
    expect(await talk.client.put(url, json={"rating": "down", "reasons": ["slow"]}), 200)
    again = (await talk.list_messages(conversation))[1]["metadata"]["feedback"]
    assert again == {"rating": "down", "reasons": ["slow"], "comment": ""}
    on_said = f"/api/messages/{said['id']}/feedback"
    assert (await talk.client.put(on_said, json={"rating": "up"})).status_code == 422
    assert (await talk.client.put(url, json={"rating": "meh"})).status_code == 422
    other = (await add_person(talk.server, talk.tenant.id)).client
    assert (await other.put(url, json={"rating": "up"})).status_code == 404
    for _ in range(2):
        assert (await talk.client.delete(url)).status_code == 204
    assert (await talk.list_messages(conversation))[1]["metadata"]["feedback"] is None


async def search(talk: Talk, q: str, **more: Any) -> dict[str, Any]:
    answer = await talk.client.get("/api/conversations", params={"q": q, **more})
    return expect(answer, 200)


async def test_search(talk: Talk) -> None:
    one, two = await talk.open(), None
    await exchange(talk, one, "Where is incident INC-20391 now?", "It is *resolved* in Zürich.")
    two = await talk.open()
    sent = await talk.client.post("/api/files", files={"file": ("x.txt", b"quetzal feathers")})
    talk.provider.script(stream(text("Fine."), end()))
    await talk.say(two, "Read", fileIds=[expect(sent, 201)["id"]])
    for q, found in {
        "INC-20391": one,
        "inc-203": one,
        "zürich resol": one,
        "quetz": two,
    }.items():
        items = (await search(talk, q))["items"]
        assert [item["id"] for item in items] == [found], q
        assert any(piece["isMatch"] for piece in items[0]["snippet"]), q
        said = [message["id"] for message in await talk.list_messages(found)]
        assert items[0]["messageId"] in said, q
    for q in ("'; drop", "a & | ! b:*", "\\", "zurich-nowhere"):
        assert (await search(talk, q))["items"] == []
    by_title = (await search(talk, "Talk"))["items"]
    assert {one["messageId"] for one in by_title if one["snippet"] is None} == {None}
    first = await search(talk, "Talk", limit=1)
    second = await search(talk, "Talk", limit=1, cursor=first["nextCursor"])
    assert first["items"][0]["id"] != second["items"][0]["id"]
    expect(await talk.client.post(f"/api/conversations/{one}/archive"), 200)
    assert (await search(talk, "INC-20391"))["items"] == []
    other = (await add_person(talk.server, talk.tenant.id)).client
    answer = await other.get("/api/conversations", params={"q": "quetzal"})
    assert expect(answer, 200)["items"] == []


async def test_an_older_version_is_not_found(talk: Talk) -> None:
    conversation = await talk.open()
    await exchange(talk, conversation, "Tell me of axolotls", "Salamanders.")
    talk.provider.script(stream(text("Birds."), end()))
    await retry(talk, conversation, text="Tell me of pelicans")
    await talk.wait_for_messages(conversation, 2)

    async def is_gone() -> bool:
        return (await search(talk, "axolotl"))["items"] == []

    await wait_until(is_gone)
    assert [one["id"] for one in (await search(talk, "pelican"))["items"]] == [conversation]
