"""What a request for a turn says, in one of its forms. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast
from uuid import UUID

from assent.conversations.question import Reply, parse_reply
from assent.conversations.user_message import LONGEST_ID, Retry, SentMessage, parse_user_message
from assent.errors import Invalid, Issue
from assent.tools.json_value import Path, encode_path

FORMS = ("message", "messages", "answer", "decision", "retry")


@dataclass(frozen=True, slots=True)
class Attach:
    """To the turn in which the model is told of this proposal's decision."""

    proposal_id: UUID


Form: TypeAlias = SentMessage | Reply | Attach | Retry
REGENERATE = "regenerate-message"


def parse_conversation_id(body: Mapping[str, Any]) -> UUID:
    """Ours, or what the AI SDK calls it."""
    name = "conversationId" if "conversationId" in body else "id"
    return _parse_id(body.get(name), name, "This must be the id of a conversation.")


def parse_time_zone(body: Mapping[str, Any]) -> str | None:
    zone = body.get("timeZone")
    if zone is not None and not isinstance(zone, str):
        raise Invalid.at("timeZone", "This must be the name of a time zone.")
    return zone


def parse_skill_id(body: Mapping[str, Any]) -> str | None:
    """The skill for this turn: a word, or an id."""
    skill_id = body.get("skillId")
    if skill_id is not None and not (isinstance(skill_id, str) and 0 < len(skill_id) <= LONGEST_ID):
        raise Invalid.at("skillId", "This must be the id of a skill.")
    return skill_id


def parse_form(body: Mapping[str, Any]) -> Form:
    """A message, the messages of the AI SDK, an answer or a decision; only one of them."""
    given = [name for name in FORMS if body.get(name) is not None]
    if len(given) > 1:
        message = f"Send this or {given[0]}, not both."
        raise Invalid([Issue(name, message) for name in given[1:]])
    match given:
        case ["messages"] if body.get("trigger") == REGENERATE:
            return Retry(message_id=_parse_text(body.get("messageId"), "messageId"))
        case ["messages"]:
            return _parse_last(body["messages"])
        case ["answer"]:
            return parse_reply(body["answer"])
        case ["decision"]:
            return _parse_decision(body["decision"])
        case ["retry"] if isinstance(body["retry"], dict):
            return parse_retry(cast(dict[str, Any], body["retry"]), at=("retry",))
        case ["retry"]:
            raise Invalid.at("retry", "This must be an object.")
        case _:
            return parse_user_message(body.get("message"), at=("message",))


def parse_bare_form(body: Mapping[str, Any]) -> Form:
    """The same; a message may also be the whole body."""
    if any(body.get(name) is not None for name in FORMS):
        return parse_form(body)
    return parse_user_message(body)


def parse_retry(body: Mapping[str, Any], *, at: Path = ()) -> Retry:
    """`{messageId?, id?, text?, fileIds?}`; what is left out stays as it was."""
    given = body.get("text")
    sent = parse_user_message({**body, "text": given or "."}, at=at)
    return Retry(
        message_id=_parse_text(body.get("messageId"), encode_path((*at, "messageId"))),
        text=None if given is None else sent.text if given else "",
        file_ids=None if body.get("fileIds") is None else sent.file_ids,
        client_id=sent.client_id,
    )


def _parse_text(raw: Any, path: str) -> str | None:
    if raw is None or (isinstance(raw, str) and 0 < len(raw) <= LONGEST_ID):
        return raw
    raise Invalid.at(path, "This must be the id of a message.")


def _parse_last(raw: Any) -> SentMessage:
    if not isinstance(raw, list) or not raw:
        raise Invalid.at("messages", "This must be a list with a message of the user at its end.")
    messages = cast(list[Any], raw)
    return parse_user_message(messages[-1], at=("messages", len(messages) - 1))


def _parse_decision(raw: Any) -> Attach:
    if not isinstance(raw, dict):
        raise Invalid.at("decision", "This must be an object with a proposalId.")
    given = cast(dict[str, Any], raw)
    message = "This must be the id of a proposal."
    return Attach(_parse_id(given.get("proposalId"), "decision.proposalId", message))


def _parse_id(raw: Any, path: str, message: str) -> UUID:
    try:
        return UUID(str(raw))
    except ValueError:
        raise Invalid.at(path, message) from None
