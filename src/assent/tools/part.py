"""What a tool shows to the person besides its result: plans, suggested replies, sources. Pure.

`encode` gives the part as a message keeps it, cut to what a page can show. Progress is no part: it
is told while the tool works, and kept nowhere.
"""

import hashlib
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from assent.tools.clamp import cut_text

StepState: TypeAlias = Literal["pending", "active", "done", "skipped", "failed"]

MOST_STEPS = 30
MOST_REPLIES = 4
LONGEST_STEP = 300
LONGEST_REPLY = 120
LONGEST_TITLE = 200
LONGEST_ADDRESS = 2_000
PLAN = "plan"
REPLIES = "replies"
LARGEST_COUNT = 2**53 - 1
"""What every reader of JSON takes for the same number."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    text: str
    state: StepState = "pending"


@dataclass(frozen=True, slots=True)
class Plan:
    """A checklist. In one answer a plan replaces the one with the same id where that stands."""

    steps: tuple[PlanStep, ...]
    title: str = ""
    id: str = PLAN

    def encode(self) -> dict[str, Any]:
        steps = [
            {"text": _cut_line(one.text, LONGEST_STEP), "state": one.state}
            for one in self.steps[:MOST_STEPS]
        ]
        title = _cut_line(self.title, LONGEST_TITLE)
        return _data("data-plan", self.id or PLAN, {"title": title, "steps": steps})


@dataclass(frozen=True, slots=True)
class QuickReplies:
    """What the person may want to say next: one click says it."""

    texts: tuple[str, ...]

    def encode(self) -> dict[str, Any]:
        lines = dict.fromkeys(_cut_line(text, LONGEST_REPLY) for text in self.texts)
        shown = [line for line in lines if line][:MOST_REPLIES]
        return _data("data-quick-replies", REPLIES, {"replies": shown})


@dataclass(frozen=True, slots=True)
class WebSource:
    """A page on the web that the result was taken from."""

    url: str
    title: str = ""

    def encode(self) -> dict[str, Any]:
        url = self.url[:LONGEST_ADDRESS]
        title = _cut_line(self.title, LONGEST_TITLE) or urlsplit(url).netloc
        return {"type": "source-url", "sourceId": _identify(url), "url": url, "title": title}


@dataclass(frozen=True, slots=True)
class DocumentSource:
    """A document that the result was taken from."""

    title: str
    media_type: str = "text/plain"
    filename: str = ""

    def encode(self) -> dict[str, Any]:
        title = _cut_line(self.title, LONGEST_TITLE) or "?"
        part = {
            "type": "source-document",
            "sourceId": _identify(f"{title}\n{self.filename}"),
            "mediaType": self.media_type,
            "title": title,
        }
        name = _cut_line(self.filename, LONGEST_TITLE)
        return part | ({"filename": name} if name else {})


Part: TypeAlias = Plan | QuickReplies | WebSource | DocumentSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a tool has come: so many, of so many where that is known."""

    done: int
    total: int | None = None
    text: str = ""

    def encode(self) -> dict[str, Any]:
        encoded: dict[str, Any] = {"done": _bound(self.done)}
        if self.total is not None:
            encoded["total"] = max(_bound(self.total), encoded["done"])
        text = _cut_line(self.text, LONGEST_TITLE)
        return encoded | ({"text": text} if text else {})


def _data(kind: str, part_id: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "id": cut_text(part_id, LONGEST_TITLE), "data": data}


def _cut_line(text: str, characters: int) -> str:
    return cut_text(" ".join(text.split()), characters)


def _bound(count: int) -> int:
    return min(max(count, 0), LARGEST_COUNT)


def _identify(text: str) -> str:
    return f"source-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:24]}"
