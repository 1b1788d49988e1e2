"""What an export says of a conversation and its messages, as values and as Markdown. Pure."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.runs.overview.line import ConversationLine, FinishedMessage
from assent.runs.settled import CARDS
from assent.runs.transcript import Part, build_shown_parts

Exported: TypeAlias = dict[str, Any]
LONGEST_OUTPUT = 4_000
ROLES = {"user": "You", "assistant": "Assistant"}


def describe_message(message: FinishedMessage, proposals: Mapping[UUID, Proposal]) -> Exported:
    """As JSON has it; cards with what became of them."""
    shown = build_shown_parts(message.parts)
    described: Exported = {
        "id": str(message.id),
        "role": message.role,
        "createdAt": message.created_at.isoformat(),
        "parts": [_describe_part(part, proposals) for part in shown],
    }
    if message.role == "assistant":
        described["author"] = message.author
        described["status"] = message.status
    if message.error is not None:
        described["error"] = message.error.model_dump(mode="json")
    if message.feedback is not None:
        described["feedback"] = message.feedback.model_dump(mode="json")
    return described


def _describe_part(part: Part, proposals: Mapping[UUID, Proposal]) -> Part:
    if part["type"] not in CARDS:
        return part
    proposal = proposals.get(UUID(part["data"]["proposalId"]))
    if proposal is None:
        return part
    outcome = proposal.outcome
    now = {
        "state": proposal.present_state,
        "decidedBy": outcome.decider.name if outcome.decider else None,
        "decidedAt": outcome.decided_at.isoformat() if outcome.decided_at else None,
        "note": outcome.note,
        "result": outcome.result,
        "error": dict(outcome.error) if outcome.error else None,
    }
    known = {name: value for name, value in now.items() if value is not None}
    return {**part, "data": {**part["data"], **known}}


def write_head(line: ConversationLine) -> str:
    title = " ".join(line.title.split()) or "Conversation"
    return f"# {title}\n\nBegun {line.created_at.isoformat()}\n"


def write_message(message: Exported) -> str:
    """Its heading, its parts and how it ended, as Markdown."""
    lines = [f"\n## {ROLES[message['role']]}, {message['createdAt']}"]
    lines += [text for part in message["parts"] for text in _write_part(part)]
    if "error" in message:
        lines.append(f"**This ended with an error:** {message['error']['message']}")
    if message.get("status") in ("cancelled", "superseded"):
        lines.append("*This answer was stopped.*")
    if "feedback" in message:
        lines.append(_write_feedback(message["feedback"]))
    return "\n\n".join(lines) + "\n"


def _write_part(part: Part) -> Iterator[str]:
    match part["type"]:
        case "text":
            yield part["text"]
        case "reasoning" if part["text"].strip():
            yield _quote(f"*Thought*\n\n{part['text']}")
        case "file":
            yield f"*Attached: {part.get('filename', part['mediaType'])}*"
        case "dynamic-tool":
            yield from _write_call(part)
        case "source-url":
            yield f"*Source: {part.get('title', part['url'])}* <{part['url']}>"
        case "data-proposal" | "data-applied" | "data-receipt":
            yield _write_card(part["data"])
        case "source-document":
            yield f"*Source: {part['title']}*"
        case "data-question":
            yield from _write_question(part["data"])
        case "data-plan":
            yield _write_plan(part["data"])
        case _:
            return


def _write_call(part: Part) -> Iterator[str]:
    yield f"**Tool `{part['toolName']}`**"
    if "input" in part:
        yield _fence(part["input"])
    if "output" in part:
        yield "Result:"
        yield _fence(part["output"])
    if "errorText" in part:
        yield f"It failed: {part['errorText']}"


def _write_card(data: Mapping[str, Any]) -> str:
    decided = f" by {data['decidedBy']}" if data.get("decidedBy") else ""
    when = f", {data['decidedAt']}" if data.get("decidedAt") else ""
    note = f"\n\nNote: {data['note']}" if data.get("note") else ""
    return _quote(f"**Proposal:** {data['summary']}\n\n{data['state']}{decided}{when}{note}")


def _write_question(data: Mapping[str, Any]) -> Iterator[str]:
    for question in data.get("questions", []):
        yield _quote(f"**Question:** {question.get('text', '')}")


def _write_plan(data: Mapping[str, Any]) -> str:
    """Suggested replies are left out: nobody said them."""
    lines = [f"**Plan:** {data['title']}" if data.get("title") else "**Plan**", ""]
    for step in data.get("steps", []):
        done, state = step.get("state") == "done", step.get("state")
        said = f" ({state})" if state in ("skipped", "failed") else ""
        lines.append(f"- [{'x' if done else ' '}] {step.get('text', '')}{said}")
    return _quote("\n".join(lines))


def _write_feedback(feedback: Mapping[str, Any]) -> str:
    reasons = f" ({', '.join(feedback['reasons'])})" if feedback["reasons"] else ""
    comment = f": {feedback['comment']}" if feedback["comment"] else ""
    return f"*Rated {feedback['rating']}{reasons}{comment}*"


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _fence(value: Any) -> str:
    """Longer than any fence inside; a very long result is cut here, and whole in JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    if len(text) > LONGEST_OUTPUT:
        text = f"{text[:LONGEST_OUTPUT]}\n… ({len(text)} characters in all)"
    marks = "```"
    while marks in text:
        marks += "`"
    return f"{marks}json\n{text}\n{marks}"
