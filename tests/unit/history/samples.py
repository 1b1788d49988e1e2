"""Histories as nobody would want to have stored them, made from a seed.

A generator of our own: a hundred thousand of them take a minute or two.
"""

import random
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from assent.conversations.conversation import Role, StoredMessage
from assent.models.anthropic_request import build_digest

ANN, BOB = str(UUID(int=1)), str(UUID(int=2))
WIRES = {"shop.list": "shop_list", "shop.drop": "shop_drop", "ai.ask": "ai_ask"}
NAMES = [*WIRES, "shop.gone", "", "ü" * 70, "shop list", None, 7]
IDS = ["a", "b", "c", "call.1", "", "x" * 60, "functions.list:0", "ü", None]
TEXTS = [
    "",
    " ",
    "\n\t",
    "\u200b",
    "\ufeff\u2060",
    "\ud800",
    "a\ud800b",
    "\0",
    "One.",
    "Always answer in German.",
    "Zwei\u200b drei",
    "word " * 200,
    "長い文章" * 100,
]
STATES = [
    "input-streaming",
    "input-available",
    "output-available",
    "output-available",
    "output-available",
    "output-error",
    "output-denied",
    "x",
    None,
]
STEP: dict[str, Any] = {"type": "step-start"}
LONG = {"rows": [{"line": n, "text": f"line {n}"} for n in range(60)]}
CUT_OFF = {
    "rows": ["x" * 700],
    "_truncated": {
        "narrow": 'Or read on with ai.readArtifact and {"artifactId": '
        '"01a1debf-3562-75bd-84f2-10180e0bc73e"}.'
    },
}
OUTPUTS = [None, 0, "", " ", "plain", "\ud800", {}, [], {"n": 1}, "y" * 900, LONG, CUT_OFF]
INPUTS = [{}, {"q": 1}, {"q": "\ud800"}, {"bad": 1}, None, [], "{", {"q": "z" * 800}]
WRITTEN = [{"name": "shop_list", "arguments": '{"q": 1}'}, {"arguments": "{"}, {}, None, "x"]
FILE = {"type": "file", "mediaType": "image/png", "url": "/api/files/1", "filename": "a\0b"}
OTHERS: list[Any] = [
    STEP,
    STEP,
    FILE,
    {"type": "data-proposal", "id": "p", "data": {}},
    {"type": "data-question", "id": "q", "data": {"questions": []}},
    {"type": "text"},
    {"type": "reasoning", "text": None, "_opaque": 1},
    {},
]


def fits(_name: str, given: Any) -> bool:
    return "bad" not in given


class Chance(random.Random):
    """Histories and parts."""

    def part(self) -> Any:
        kind = self.random()
        if kind < 0.25:
            return {"type": "text", "text": self.choice(TEXTS)}
        if kind < 0.65:
            return self.call()
        if kind < 0.8:
            return self.thought()
        return self.choice(OTHERS)

    def thought(self) -> dict[str, Any]:
        part: dict[str, Any] = {"type": "reasoning", "text": self.choice(TEXTS)}
        if self.random() < 0.6:
            own = {"provider": "anthropic", "model": "m"}
            signed = {**own, "signature": "x", "digest": build_digest(part["text"])}
            others = [{"signature": "x"}, {"id": "r"}, {}, None]
            part["_opaque"] = self.choice([signed, {**own, "redacted": "y"}, *others])
        return part

    def good_step(self) -> list[Any]:
        """A thought, some words and a call, as they should be, and seldom in another order."""
        own = {"provider": "anthropic", "model": "m"}
        kinds = [{"signature": "x", "digest": build_digest("Hm.")}, {"redacted": "y"}]
        thought = {"type": "reasoning", "text": "Hm.", "_opaque": {**own, **self.choice(kinds)}}
        call = {
            "type": "dynamic-tool",
            "toolName": self.choice([*WIRES]),
            "toolCallId": self.choice(IDS),
            "state": "output-available",
            "input": {"q": 1},
            "output": self.choice([*OUTPUTS[4:]]),
        }
        step: list[Any] = [thought, {"type": "text", "text": "I look."}, call]
        if self.random() < 0.1:
            self.shuffle(step)
        return [STEP, *step]

    def call(self) -> dict[str, Any]:
        part: dict[str, Any] = {
            "type": "dynamic-tool",
            "toolName": self.choice(NAMES),
            "toolCallId": self.choice(IDS),
            "state": self.choice(STATES),
        }
        for key, values in (("input", INPUTS), ("output", OUTPUTS), ("_wire", WRITTEN)):
            if self.random() < 0.85:
                part[key] = self.choice(values)
        if self.random() < 0.5:
            part["errorText"] = self.choice([*TEXTS, None])
        return part

    def parts(self, most: int = 8) -> list[Any]:
        if self.random() < 0.2:
            return [part for _ in range(self.randint(1, 3)) for part in self.good_step()]
        return [self.part() for _ in range(self.randint(0, most))]

    def history(self, most: int = 10) -> list[StoredMessage]:
        return [self.message(seq) for seq in range(1, self.randint(0, most) + 1)]

    def message(self, seq: int) -> StoredMessage:
        role: Role = "user" if self.random() < 0.5 else "assistant"
        return build_message(seq, role, self.choice(TEXTS), self.parts(), self.choice([ANN, BOB]))


def build_message(
    seq: int, role: Role, content: str = "", parts: list[Any] | None = None, author: str = ANN
) -> StoredMessage:
    return StoredMessage.model_construct(
        id=UUID(int=seq),
        seq=seq,
        role=role,
        author=author,
        client_id=None,
        content=content,
        parts=parts or [],
        run_id=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
