"""Exports as Markdown."""

from typing import Any

from assent.runs.export_text import write_message


def write(*parts: dict[str, Any], **more: Any) -> str:
    return write_message({"role": "assistant", "createdAt": "now", "parts": list(parts), **more})


def test_every_kind_of_part() -> None:
    text = write(
        {"type": "text", "text": "Hello"},
        {"type": "reasoning", "text": "Hm.\nWell."},
        {"type": "file", "mediaType": "text/plain", "filename": "a.txt"},
        {"type": "dynamic-tool", "toolName": "a.b", "input": {"x": "```"}, "output": "y" * 5000},
        {"type": "dynamic-tool", "toolName": "c.d", "errorText": "No."},
        {
            "type": "data-proposal",
            "data": {"summary": "Do", "state": "applied", "decidedBy": "Ann"},
        },
        {"type": "data-question", "data": {"questions": [{"text": "Which?"}]}},
        {"type": "source-url", "url": "https://example.com", "title": "E"},
        {"type": "source-document", "title": "Recipes", "mediaType": "text/plain"},
        {
            "type": "data-plan",
            "data": {
                "title": "",
                "steps": [
                    {"text": "One", "state": "done"},
                    {"text": "Two", "state": "skipped"},
                    {"text": "Three", "state": "active"},
                ],
            },
        },
        {"type": "data-quick-replies", "data": {"replies": ["Never said"]}},
        {"type": "data-unknown", "data": {}},
        error={"message": "Broke."},
        feedback={"rating": "up", "reasons": ["clear"], "comment": "Nice"},
    )
    for words in (
        "## Assistant, now",
        "> Hm.\n> Well.",
        "*Attached: a.txt*",
        '````json\n{\n  "x": "```"\n}\n````',
        "… (5000 characters in all)",
        "It failed: No.",
        "> **Proposal:** Do\n>\n> applied by Ann",
        "> **Question:** Which?",
        "*Source: Recipes*",
        "> **Plan**\n>\n> - [x] One\n> - [ ] Two (skipped)\n> - [ ] Three",
        "<https://example.com>",
        "Broke.",
        "*Rated up (clear): Nice*",
    ):
        assert words in text
    assert "unknown" not in text


def test_a_stopped_answer_says_so() -> None:
    assert "stopped" in write(status="cancelled")
    assert "stopped" not in write(status="completed")
