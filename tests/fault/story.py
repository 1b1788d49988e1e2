"""A turn with several tools whose words are known in advance, told by a provider at the wire.

What it answers depends on the request alone: how many results there are, and where the text was
cut. So whoever goes on with a turn gets the rest of the same words, and a word that is missing or
there twice shows.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from assent.agents.notes import CUT_ANSWER
from assent.testing.provider import DONE, Asked, Scripted, Step, call, encode, end, stream, text

WORDS = 24


@dataclass(frozen=True, slots=True)
class Story:
    """`name` is what the person says; reports of so many lines tell the stories apart."""

    name: str
    lines: int
    account_id: UUID
    pause: float

    @property
    def text(self) -> str:
        """The whole answer, as it is stored."""
        return "\n\n".join("".join(self.say(step)).strip() for step in range(3))

    def say(self, step: int) -> list[str]:
        return [f"{self.name}-{step}-{number} " for number in range(WORDS)]

    def answer(self, asked: Asked) -> Scripted:
        messages = asked.body["messages"]
        results = sum(message["role"] == "tool" for message in messages)
        step = 0 if results == 0 else 1 if results < 4 else 2
        words = self.say(step)[count_said(messages, self.say(step)) :]
        reason = "stop" if step == 2 else "tool_calls"
        return stream(text(*words), *self.list_calls(step), end(reason), pause=self.pause)

    def list_calls(self, step: int) -> list[list[dict[str, Any]]]:
        if step == 0:
            return [
                call("bank_report", f'{{"count": {self.lines + n}}}', index=n, id=f"a{n}")
                for n in range(2)
            ]
        if step == 1:
            given = {"accountId": str(self.account_id), "amount": 1, "reference": self.name}
            report = f'{{"count": {self.lines + 2}}}'
            return [
                call("bank_deposit", json.dumps(given), index=0, id="b0"),
                call("bank_report", report, index=1, id="b1"),
            ]
        return []


def count_said(messages: list[dict[str, Any]], words: list[str]) -> int:
    """How many words stand before the note that the answer was cut; half a word is none."""
    if CUT_ANSWER not in read_text(messages[-1]):
        return 0
    said = read_text(messages[-2])
    for count in range(len(words), 0, -1):
        told = "".join(words[:count])
        if said.endswith((told, told.rstrip())):
            return count
    return 0


def read_text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


@dataclass(slots=True)
class Dictation:
    """Says a word when the one before was heard, and not before."""

    name: str
    words: int
    heard: int = 0

    def answer(self, _asked: Asked) -> Scripted:
        return Scripted(cast(tuple[Step, ...], self._say()))

    def _say(self) -> Iterator[Step]:
        for number in range(self.words):
            while self.heard < number:
                yield 0.01
            [_, word] = text(f"word{number} ")
            yield encode(word)
        for chunk in end():
            yield encode(chunk)
        yield DONE


class Library:
    """Finds the story that a request belongs to by what the person said in it."""

    def __init__(self) -> None:
        self.stories: dict[str, Story | Dictation] = {}

    def answer(self, asked: Asked) -> Scripted:
        said = [read_text(one) for one in asked.body["messages"] if one["role"] == "user"]
        [story] = [one for name, one in self.stories.items() if f"{name}." in said[0]]
        return story.answer(asked)
