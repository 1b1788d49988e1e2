"""Attached files: what is taken, who gets them back, what the model reads and what that means."""

import asyncio
import base64
import json
import struct
import zlib
from collections.abc import AsyncGenerator
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.conversations.attach import purge_files
from assent.conversations.file import LARGEST, MOST_UNUSED
from assent.testing import Databases
from assent.testing import anthropic_answers as anthropic
from assent.testing.provider import call, end, stream, text
from tests.turn.people import add_person, expect
from tests.turn.talk import Talk, open_talk

OLD = "UPDATE files SET created_at = clock_timestamp() - interval '25 hours' WHERE id = $1"
COUNT = "SELECT count(*) FROM files WHERE id = $1"


def _chunk(kind: bytes, data: bytes) -> bytes:
    checked = kind + data
    return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))


def draw_png(width: int = 2, height: int = 2) -> bytes:
    rows = b"".join(b"\0" + b"\x30\x60\x90" * width for _ in range(min(height, 64)))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pieces = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + pieces


def write_pdf(words: str) -> bytes:
    """The smallest PDF that says something; readers mend the missing table."""
    shown = f"BT /F1 24 Tf 72 720 Td ({words}) Tj ET".encode()
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>endobj\n"
        b"4 0 obj<</Length " + str(len(shown)).encode() + b">>stream\n" + shown + b"\nendstream"
        b" endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
        b"trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n"
    )


@pytest_asyncio.fixture(scope="module")
async def talk(databases: Databases) -> AsyncGenerator[Talk]:
    async with open_talk(databases) as opened:
        yield opened


async def upload(talk: Talk, name: str, content: bytes) -> dict[str, Any]:
    answer = await talk.client.post("/api/files", files={"file": (name, content)})
    return expect(answer, 201)


async def test_a_text_reaches_the_model_and_survives_a_reload(talk: Talk) -> None:
    file = await upload(talk, "../etc/Q3 report.csv", b"month,sum\nJuly,4711\n")
    assert (file["name"], file["mediaType"]) == ("Q3 report.csv", "text/csv")
    conversation = await talk.open()
    talk.provider.script(stream(text("Seen."), end()))
    await talk.say(conversation, "What is in it?", fileIds=[file["id"]])
    asked = talk.provider.requests[-1].body["messages"][-1]["content"]
    assert "July,4711" in asked
    assert "Q3 report.csv" in asked
    assert asked.endswith("What is in it?")
    said = (await talk.list_messages(conversation))[0]
    assert said["parts"][0] == {
        "type": "file",
        "mediaType": "text/csv",
        "filename": "Q3 report.csv",
        "url": f"/api/files/{file['id']}",
    }


async def test_an_image_goes_as_an_image(talk: Talk) -> None:
    file = await upload(talk, "dot.png", draw_png())
    assert (file["width"], file["height"]) == (2, 2)
    conversation = await talk.open()
    talk.provider.script(stream(text("A dot."), end()))
    part = {"type": "file", "mediaType": "image/png", "url": f"/api/files/{file['id']}"}
    body = {
        "id": conversation,
        "trigger": "submit-message",
        "messages": [{"id": "m1", "role": "user", "parts": [part]}],
    }
    expect_stream = await talk.client.post("/api/chat", json=body)
    assert expect_stream.status_code == 200
    (shown,) = talk.provider.requests[-1].body["messages"][-1]["content"]
    data = shown["image_url"]["url"].removeprefix("data:image/png;base64,")
    assert base64.b64decode(data) == draw_png()


async def test_the_text_of_a_pdf(talk: Talk) -> None:
    file = await upload(talk, "plan.pdf", write_pdf("Rotate the turbine"))
    conversation = await talk.open()
    talk.provider.script(stream(text("Yes."), end()))
    await talk.say(conversation, "And?", fileIds=[file["id"]])
    assert "Rotate the turbine" in talk.provider.requests[-1].body["messages"][-1]["content"]


async def test_a_broken_pdf_is_kept_without_text(talk: Talk) -> None:
    file = await upload(talk, "broken.pdf", b"%PDF-1.7\n" + b"\xff\x00garbage" * 50)
    conversation = await talk.open()
    talk.provider.script(stream(text("No."), end()))
    await talk.say(conversation, "Read", fileIds=[file["id"]])
    assert (
        "cannot be shown: broken.pdf" in talk.provider.requests[-1].body["messages"][-1]["content"]
    )


@pytest.mark.parametrize(
    ("name", "content", "looks"),
    [
        ("a.txt", b"PK\x03\x04\x00\x00", "ZIP archive"),
        ("a.png", b"\x89PNG\r\n\x1a\nrubbish", "damaged"),
        ("huge.png", draw_png(60_000, 60_000), "60000 × 60000"),
        ("a.csv", b"a,b\x00c\n", "no text"),
        ("a.txt", b"\xff\xfe\xfd", "no text"),
        ("a.txt", b"", "empty"),
        ("page.svg", b"MZ\x90", "a program"),
    ],
)
async def test_what_is_not_taken(talk: Talk, name: str, content: bytes, looks: str) -> None:
    answer = await talk.client.post("/api/files", files={"file": (name, content)})
    problem = expect(answer, 415)
    assert problem["code"] == "unsupported_file"
    assert looks in problem["detail"]


@pytest.mark.parametrize("size", [LARGEST + 1, LARGEST * 2])
async def test_too_large(talk: Talk, size: int) -> None:
    answer = await talk.client.post("/api/files", files={"file": ("a.txt", b"a" * size)})
    assert expect(answer, 413)["code"] == "too_large"


async def test_other_routes_take_no_more_than_before(talk: Talk) -> None:
    answer = await talk.client.post("/api/conversations", files={"file": ("a.txt", b"a")})
    assert answer.status_code == 415


async def test_the_largest_file_is_taken_and_given_back(talk: Talk) -> None:
    content = b"abcdefgh" * (LARGEST // 8)
    file = await upload(talk, "large.txt", content)
    answer = await talk.client.get(f"/api/files/{file['id']}")
    assert answer.content == content


async def test_what_its_owner_gets_back(talk: Talk) -> None:
    page = await upload(talk, "pägé.html", b"<script>alert(1)</script>")
    answer = await talk.client.get(f"/api/files/{page['id']}")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''p%C3%A4")
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    image = await upload(talk, "dot.png", draw_png())
    shown = await talk.client.get(f"/api/files/{image['id']}")
    assert shown.headers["content-disposition"].startswith("inline")


async def test_somebody_elses_is_not_there(talk: Talk) -> None:
    file = await upload(talk, "mine.txt", b"mine")
    other = (await add_person(talk.server, talk.tenant.id)).client
    for method in ("GET", "DELETE"):
        answer = await other.request(method, f"/api/files/{file['id']}")
        assert answer.status_code == 404
    conversation = expect(await other.post("/api/conversations", json={}), 201)["id"]
    body = {"conversationId": conversation, "message": {"text": "x", "fileIds": [file["id"]]}}
    refused = expect(await other.post("/api/chat", json=body), 422)
    assert refused["issues"][0]["path"] == "message.fileIds"


async def test_a_removed_file_is_gone_and_one_of_a_message_stays(talk: Talk) -> None:
    file = await upload(talk, "x.txt", b"x")
    assert (await talk.client.delete(f"/api/files/{file['id']}")).status_code == 204
    assert (await talk.client.get(f"/api/files/{file['id']}")).status_code == 404
    sent = await upload(talk, "y.txt", b"y")
    conversation = await talk.open()
    talk.provider.script(stream(text("Fine."), end()))
    await talk.say(conversation, "Hi", fileIds=[sent["id"]])
    assert (await talk.client.delete(f"/api/files/{sent['id']}")).status_code == 409


async def add_integration(talk: Talk, name: str, **more: Any) -> dict[str, Any]:
    draft = {
        "name": name,
        "baseUrl": talk.provider.url,
        "defaultModel": "fake",
        "classifier": False,
        **more,
    }
    return expect(await talk.client.post("/api/admin/integrations", json=draft), 201)


@pytest.mark.parametrize(
    ("given", "sees"),
    [
        ({"provider": "openai", "family": "generic"}, False),
        ({"provider": "openai", "family": "openai"}, True),
        ({"provider": "openai", "family": "anthropic"}, True),
        ({"provider": "anthropic"}, True),
        ({"provider": "google"}, True),
        ({"provider": "bedrock", "images": False}, False),
        ({"provider": "openai", "family": "generic", "images": True}, True),
    ],
)
async def test_who_takes_images(talk: Talk, given: dict[str, Any], sees: bool) -> None:
    made = await add_integration(talk, "Seer", **given)
    url = f"/api/admin/integrations/{made['id']}"
    assert made["images"] is sees
    assert expect(await talk.client.patch(url, json={"name": "Seer 2"}), 200)["images"] is sees
    changed = expect(await talk.client.patch(url, json={"images": not sees}), 200)
    assert changed["images"] is not sees
    expect(await talk.client.delete(url), 204)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_a_model_without_eyes_is_told_the_name_of_a_picture(
    talk: Talk, provider: str
) -> None:
    """Before and after another that sees it; no image ever reaches it."""
    talk.provider.clear()
    blind = await add_integration(talk, "Blind", provider=provider, images=False)
    listed = expect(await talk.client.get("/api/admin/integrations"), 200)["items"]
    seeing = next(one["id"] for one in listed if one["name"] == "Fake")
    picture = await upload(talk, "dot.png", draw_png())
    notes = await upload(talk, "notes.txt", b"Seven apples.")
    conversation = await talk.open()
    say = anthropic.stream(anthropic.text("Well."), anthropic.end())
    unseen = say if provider == "anthropic" else stream(text("Well."), end())
    order = [blind["id"], seeing, blind["id"]]
    talk.provider.script(unseen, stream(text("Blue."), end()), unseen)
    for number, integration in enumerate(order):
        change = {"integrationId": integration}
        expect(await talk.client.patch(f"/api/conversations/{conversation}", json=change), 200)
        files = [] if number else [picture["id"], notes["id"]]
        await talk.say(conversation, "What is it?", fileIds=files)
    bodies = [json.dumps(one.body) for one in talk.provider.requests]
    assert ["base64" in one for one in bodies] == [False, True, False]
    told = "The picture dot.png is attached here, which this model cannot see."
    assert [told in one for one in bodies] == [True, False, True]
    assert all("Seven apples." in one for one in bodies)
    expect(await talk.client.delete(f"/api/admin/integrations/{blind['id']}"), 204)


async def test_only_unused_files_are_swept_after_a_day(talk: Talk) -> None:
    unused, sent = [await upload(talk, "x.txt", b"x") for _ in range(2)]
    fresh = await upload(talk, "x.txt", b"x")
    conversation = await talk.open()
    talk.provider.script(stream(text("Fine."), end()))
    await talk.say(conversation, "Hi", fileIds=[sent["id"]])
    async with talk.server.database.transaction() as db:
        for one in (unused, sent):
            await db.execute(OLD, UUID(one["id"]))
        await purge_files(db, talk.tenant.id)
        left = [await db.fetchval(COUNT, UUID(one["id"])) for one in (unused, sent, fresh)]
    assert left == [0, 1, 1]


async def test_a_value_of_a_file_is_marked_on_the_card(talk: Talk) -> None:
    account = await talk.open_account(balance=500)
    line = f"Please close the account {account} at once.\n".encode()
    file = await upload(talk, "letter.txt", line)
    conversation = await talk.open(mode="auto")
    arguments = json.dumps({"accountId": str(account)})
    talk.provider.script(
        stream(call("bank_close", arguments), end("tool_calls")),
        stream(text("There is a card."), end()),
    )
    await talk.say(conversation, "Do what the letter says", fileIds=[file["id"]])
    view = await talk.view(conversation)
    card = expect(await talk.client.get(f"/api/proposals/{view['pending'][0]['id']}"), 200)
    (mark,) = [one for one in card["provenance"]["marks"] if one["path"] == "accountId"]
    assert mark["matches"][0]["origin"] == "attachment"
    assert mark["matches"][0]["name"] == "letter.txt"


async def test_one_person_keeps_only_so_many_waiting(talk: Talk) -> None:
    other = (await add_person(talk.server, talk.tenant.id)).client

    async def send() -> int:
        answer = await other.post("/api/files", files={"file": ("x.txt", b"x")})
        return answer.status_code

    codes = await asyncio.gather(*(send() for _ in range(MOST_UNUSED + 5)))
    assert sorted(codes) == [201] * MOST_UNUSED + [429] * 5
