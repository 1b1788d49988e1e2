"""What the fake provider is asked to say, and what its words tell. Pure.

The person's message holds the script. Every word holds the time at which the provider sent it, and
the first one also how long the provider took: so that whoever reads it knows what was added on the
way. Each word ends in a mark that occurs nowhere else in a stream; counting marks counts words,
however they were joined.
"""

import re
from dataclasses import dataclass

MARK = b"~"
SCRIPT = re.compile(rb"bench delay=([\d.]+) words=(\d+) pace=([\d.]+) then=(stop|hold)")
FIRST = re.compile(rb"(\d+)/(\d+)~")
WORD = re.compile(rb"(\d+)~")
FOREVER = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Wait, say so many words one after the other, then stop or hold the answer open in silence."""

    words: int
    delay: float = 0
    pace: float = 0
    holds: bool = False

    def __str__(self) -> str:
        then = "hold" if self.holds else "stop"
        return f"bench delay={self.delay} words={self.words} pace={self.pace} then={then}"


def parse_script(body: bytes) -> Script | None:
    """The last one in a request: earlier ones are history."""
    found = SCRIPT.findall(body)
    if not found:
        return None
    delay, words, pace, then = found[-1]
    return Script(words=int(words), delay=float(delay), pace=float(pace), holds=then == b"hold")


def encode_word(sent: float, asked: float | None) -> bytes:
    """The text of one piece of an answer; the first one of an answer says when it was asked for."""
    microseconds = round(sent * 1e6)
    if asked is None:
        return b"%d~ " % microseconds
    return b"%d/%d~ " % (microseconds - round(asked * 1e6), microseconds)


def find_thinking(data: bytes) -> float | None:
    """Seconds that the provider took for its first word, if that word is in here."""
    found = FIRST.search(data)
    return int(found[1]) / 1e6 if found else None


def list_sent(data: bytes) -> list[float]:
    """When the words in here were sent."""
    return [int(one) / 1e6 for one in WORD.findall(data)]
