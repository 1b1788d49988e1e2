"""What was in the model's context when it made a call, and what of that is untrusted. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast
from uuid import UUID

from assent.actions.proposal import Proposal
from assent.conversations.conversation import StoredMessage
from assent.conversations.parts import was_chosen
from assent.history.replay import NO_FILES
from assent.history.summary import CHOSEN, Summary
from assent.models.model import ImagePart, TextPart
from assent.runs.transcript import Part
from assent.tools.provenance import Material
from assent.tools.taint import CLEAN, Taint, taint_from, taint_of_result
from assent.tools.tool import Tool

AWAITING = "awaiting_operator"
EARLIER = "earlier turns"
"""The name of what only the summary tells of."""

FindTool: TypeAlias = Callable[[str], Tool | None]
Files: TypeAlias = Mapping[str, TextPart | ImagePart]


def list_materials(
    find_tool: FindTool,
    history: Iterable[StoredMessage],
    parts: Sequence[Part],
    person_id: UUID,
    *,
    files: Files = NO_FILES,
) -> tuple[Material, ...]:
    """All that the person wrote, others wrote, files hold and tools gave back.

    `parts` are of the answer; `files` are those that the model was shown, by their address. A reply
    that the person chose is the model's wording, so nothing in it counts as typed.
    """
    found = [
        one for message in history for one in _read_message(find_tool, message, person_id, files)
    ]
    return (*found, *_read_parts(find_tool, parts))


def list_summarized(
    summary: Summary | None, history: Iterable[StoredMessage], person_id: UUID
) -> tuple[Material, ...]:
    """What stands in the place of turns that are not in the history any more.

    What the model wrote about untrusted content is no better than that, and neither is what it has
    said and called since: the sources themselves are not there to be compared with. Of a summary
    that nothing untrusted went into only the person's own words count; the rest is the model's.
    """
    if summary is None:
        return ()
    words = [
        Material("typed", "", "trusted", one.text)
        if one.author == str(person_id)
        else Material("message", one.author, "untrusted", one.text)
        for one in summary.words
        if one.author != CHOSEN
    ]
    if not summary.taint.is_tainted:
        return tuple(words)
    answers = [one for one in history if one.role == "assistant"]
    said = [one.content for one in answers if one.content]
    given = [part["input"] for one in answers for part in one.parts if part.get("input")]
    return (*words, Material("tool", EARLIER, "untrusted", [summary.record, *said, *given]))


def settle_mixed(materials: Iterable[Material], taint: Taint) -> tuple[Material, ...]:
    """Results that could be anybody's: they are ours where none of that tool has tainted."""
    tainted = {one.name for one in taint.sources if one.kind == "tool"}
    return tuple(
        replace(one, trust="trusted") if one.trust == "mixed" and one.name not in tainted else one
        for one in materials
    )


def list_outcomes(find_tool: FindTool, proposals: Iterable[Proposal]) -> tuple[Material, ...]:
    """What the model was told of changes and reads that a person let through."""
    return tuple(
        _build_material(find_tool, one.change.tool, [one.outcome.result, one.outcome.error])
        for one in proposals
    )


def taint_of_history(history: Iterable[StoredMessage], person_id: UUID) -> Taint:
    """What people other than the one who asks wrote, and files, whoever attached them."""
    taint = CLEAN
    for message in history:
        for material in _read_user(message, person_id, NO_FILES):
            if material.origin == "attachment":
                taint |= taint_from("attachment", material.name)
            elif material.origin == "message":
                taint |= taint_from("message", material.name)
    return taint


def taint_of_told(find_tool: FindTool, proposals: Iterable[Proposal]) -> Taint:
    taint = CLEAN
    for one in proposals:
        taint |= taint_of_result(find_tool(one.change.tool), one.change.tool)
    return taint


def _read_message(
    find_tool: FindTool, message: StoredMessage, person_id: UUID, files: Files
) -> Iterator[Material]:
    yield from _read_user(message, person_id, files)
    if message.role == "assistant":
        yield from _read_parts(find_tool, message.parts)


def _read_user(message: StoredMessage, person_id: UUID, files: Files) -> Iterator[Material]:
    if message.role != "user":
        return
    if message.author == str(person_id):
        if not was_chosen(message.parts):
            yield Material("typed", "", "trusted", message.content)
    else:
        yield Material("message", message.author, "untrusted", message.content)
    for part in message.parts:
        if part.get("type") == "file":
            name = str(part.get("filename", ""))
            shown = files.get(str(part.get("url")))
            text = shown.text if isinstance(shown, TextPart) else ""
            yield Material("attachment", name, "untrusted", [name, text])


def _read_parts(find_tool: FindTool, parts: Iterable[Part]) -> Iterator[Material]:
    for part in parts:
        if part.get("type") != "dynamic-tool":
            continue
        name, output = str(part.get("toolName")), part.get("output", part.get("errorText"))
        fields = cast(dict[str, Any], output if isinstance(output, dict) else {})
        if name == "ai.readArtifact":
            name = str(fields.get("tool", name))
        if output is not None and fields.get("status") != AWAITING:
            yield _build_material(find_tool, name, cast(Any, output))


def _build_material(find_tool: FindTool, name: str, content: Any) -> Material:
    tool = find_tool(name)
    return Material("tool", name, tool.behaviour.output_trust if tool else "untrusted", content)
