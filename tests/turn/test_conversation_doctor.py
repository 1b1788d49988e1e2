"""`assent doctor conversation`, on a conversation that somebody has broken."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

from assent.testing import Databases, run_server
from assent.testing.provider import call, end, run_provider, stream, text
from tests.bank.desk import MANY
from tests.turn.command import Result, assent
from tests.turn.people import execute, expect, fetch, find_tenant
from tests.turn.talk import Talk

KEY = "cd" * 32
BREAK = "UPDATE messages SET parts = $2 WHERE conversation_id = $1 AND role = 'assistant'"
MARK = "UPDATE conversations SET summarized_through_seq = 77 WHERE id = $1"
OPEN = {
    "type": "dynamic-tool",
    "toolName": "catalog.listSystems",
    "toolCallId": "x",
    "state": "input-available",
    "input": {"q": "hidden-words"},
}


async def test_it_says_what_is_wrong_and_puts_it_right(
    databases: Databases, tmp_path: Path
) -> None:
    async with (
        run_provider() as provider,
        databases.copy() as url,
        run_server(url, master_key=KEY, tool_calls=MANY, ollama_url="") as server,
    ):
        talk = Talk(server, provider, await find_tenant(server))
        draft: dict[str, Any] = {"name": "Fake", "baseUrl": provider.url, "defaultModel": "fake"}
        draft["classifier"] = False
        expect(await talk.client.post("/api/admin/integrations", json=draft), 201)
        provider.script(
            stream(call("catalog_listSystems", "{}"), end("tool_calls")),
            stream(text("None."), end()),
        )
        conversation = await talk.open()
        await talk.say(conversation, "hidden-words")

        async def look(*more: str) -> Result:
            arguments = ("doctor", "conversation", conversation, *more, "--database-url", url)
            return await assent(*arguments, folder=tmp_path, ASSENT_MASTER_KEY=KEY)

        well = await look()
        assert (well.code, well.errors) == (0, "")
        assert "✓ Messages: 2, all well formed." in well.output
        assert "OpenAI style: 4 messages" in well.output
        assert well.output.endswith("it fits.\nFine.\n")

        gone = OPEN | {"state": "output-available", "toolName": "shop.gone", "output": 1}
        broken = [{"type": "step-start"}, OPEN, gone | {"toolCallId": "y"}, {"type": "?"}, 7]
        await execute(server, BREAK, UUID(conversation), broken)
        await execute(server, MARK, UUID(conversation))
        ill = await look()
        assert ill.code == 1
        assert "✗ Message 2: 2 of 5 parts cannot be read" in ill.output
        assert "1 calls wait for a result" in ill.output
        assert "✗ Summary: the marker says 77" in ill.output
        assert "a call of shop.gone, which is not offered any more" in ill.output
        assert "hidden-words" not in ill.output
        provider.script(stream(text("I go on."), end()))
        assert (await talk.say(conversation, "Well?")).text == "I go on."

        repaired = await look("--repair")
        assert repaired.code == 0, repaired.output
        assert "Repaired: 2." in repaired.output
        again = await look()
        assert (again.code, "✗" in again.output) == (0, False)
        [entry] = await fetch(
            server, "SELECT edge FROM audit_entries WHERE action = 'chat.repairConversation'"
        )
        assert entry["edge"] == "command"
        provider.script(stream(text("Still here."), end()))
        assert (await talk.say(conversation, "Hello?")).text == "Still here."
        sent = json.dumps(provider.requests[-1].body["messages"])
        assert "shop.gone" not in sent

        nowhere = ("doctor", "conversation", str(UUID(int=5)), "--database-url", url)
        missing = await assent(*nowhere, folder=tmp_path, ASSENT_MASTER_KEY=KEY)
        assert missing.code == 1
        assert "There is no such conversation." in missing.errors
