"""What was in the context, who it is from, and what of it is untrusted."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from assent.conversations.conversation import Role, StoredMessage
from assent.history.summary import Said, Summary, write_summary
from assent.history.turns import list_turns
from assent.runs.materials import (
    EARLIER,
    list_materials,
    list_summarized,
    settle_mixed,
    taint_of_history,
)
from assent.tools.provenance import Material
from assent.tools.taint import CLEAN, taint_from
from tests.unit.tools.samples import build_tool

ANN = UUID(int=1)
TOOLS = {
    "shop.list": build_tool("shop.list"),
    "web.read": build_tool("web.read", output_trust="untrusted"),
    "mail.read": build_tool("mail.read", output_trust="mixed"),
    "ai.readArtifact": build_tool("ai.readArtifact"),
}


def write(
    content: str = "", *parts: dict[str, Any], role: Role = "user", author: str = str(ANN)
) -> StoredMessage:
    return StoredMessage(
        id=uuid4(),
        seq=1,
        role=role,
        author=author,
        client_id=None,
        content=content,
        parts=list(parts),
        run_id=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def result(name: str, output: Any) -> dict[str, Any]:
    return {
        "type": "dynamic-tool",
        "toolName": name,
        "toolCallId": "a",
        "state": "output-available",
        "input": {},
        "output": output,
    }


def failure(name: str, text: str) -> dict[str, Any]:
    part = result(name, None) | {"state": "output-error", "errorText": text}
    del part["output"]
    return part


FILE = {"type": "file", "filename": "plan.txt", "mediaType": "text/plain", "url": "/api/files/1"}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (result("shop.list", [1]), [Material("tool", "shop.list", "trusted", [1])]),
        (result("web.read", "x"), [Material("tool", "web.read", "untrusted", "x")]),
        (result("mail.read", "x"), [Material("tool", "mail.read", "mixed", "x")]),
        (result("gone.tool", "x"), [Material("tool", "gone.tool", "untrusted", "x")]),
        (failure("web.read", "no"), [Material("tool", "web.read", "untrusted", "no")]),
        (result("shop.list", {"status": "awaiting_operator", "summary": "x"}), []),
        (
            result("ai.readArtifact", {"tool": "web.read", "text": "x"}),
            [Material("tool", "web.read", "untrusted", {"tool": "web.read", "text": "x"})],
        ),
        (result("shop.list", None), []),
        ({"type": "text", "text": "what the model says"}, []),
        ({"type": "step-start"}, []),
    ],
)
def test_parts_of_answers(part: dict[str, Any], expected: list[Material]) -> None:
    history = [write("", part, role="assistant", author="assistant")]
    assert list(list_materials(TOOLS.get, history, [], ANN)) == expected
    assert list(list_materials(TOOLS.get, [], [part], ANN)) == expected


def test_messages_of_people() -> None:
    history = [write("mine"), write("theirs", author="bob"), write("look", FILE)]
    assert list(list_materials(TOOLS.get, history, [], ANN)) == [
        Material("typed", "", "trusted", "mine"),
        Material("message", "bob", "untrusted", "theirs"),
        Material("typed", "", "trusted", "look"),
        Material("attachment", "plan.txt", "untrusted", ["plan.txt", ""]),
    ]
    assert taint_of_history(history, ANN) == (
        taint_from("message", "bob") | taint_from("attachment", "plan.txt")
    )


def test_ones_own_words_taint_nothing() -> None:
    history = [write("mine"), write("said", role="assistant", author="assistant")]
    assert not taint_of_history(history, ANN).is_tainted


def test_a_summary_of_untrusted_content_is_untrusted_and_so_is_what_was_said_since() -> None:
    words = (Said(str(ANN), "mine"), Said("bob", "theirs"))
    typed = [
        Material("typed", "", "trusted", "mine"),
        Material("message", "bob", "untrusted", "theirs"),
    ]
    call = result("shop.list", 1) | {"input": {"id": 7}}
    history = [write("x"), write("I said", call, role="assistant", author="assistant")]
    clean = Summary(turns=1, words=words, record="A record.")
    assert list(list_summarized(clean, history, ANN)) == typed
    tainted = Summary(turns=1, words=words, record="A record.", taint=taint_from("tool", "web"))
    assert list(list_summarized(tainted, history, ANN)) == [
        *typed,
        Material("tool", EARLIER, "untrusted", ["A record.", "I said", {"id": 7}]),
    ]
    assert list_summarized(None, history, ANN) == ()


def test_a_reply_that_was_only_chosen_is_not_typed() -> None:
    chosen = write("Delete web", {"type": "text", "text": "Delete web", "chosen": True})
    typed = write("Delete mail", {"type": "text", "text": "Delete mail"})
    found = list_materials(TOOLS.get, [chosen, typed], [], ANN)
    assert [one.content for one in found] == ["Delete mail"]


def test_a_summary_keeps_what_was_chosen_as_meant_but_not_as_typed() -> None:
    chosen = write("Always say web", {"type": "text", "text": "Always say web", "chosen": True})
    typed = write("Say mail", {"type": "text", "text": "Say mail"})
    words = tuple(said for turn in list_turns([chosen, typed]) for said in turn.words)
    summary = Summary(turns=2, words=words)
    assert [one.content for one in list_summarized(summary, [], ANN)] == ["Say mail"]
    told = write_summary(summary, str(ANN))
    assert "What I wrote in them" in told
    assert "- Always say web" in told
    assert "other people" not in told


def test_what_could_be_anybodys_is_ours_until_it_has_tainted() -> None:
    known = (
        Material("tool", "mail.read", "mixed", "hello"),
        Material("tool", "web.read", "untrusted", "hello"),
    )
    assert [one.trust for one in settle_mixed(known, CLEAN)] == ["trusted", "untrusted"]
    other = taint_from("tool", "web.read")
    assert [one.trust for one in settle_mixed(known, other)] == ["trusted", "untrusted"]
    assert settle_mixed(known, other | taint_from("tool", "mail.read")) == known
