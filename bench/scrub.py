"""What scrubbing costs: a chunk of a stream without secrets, and whole texts of several kinds.

A chunk of the relay is what `bench/stream.py` measures; scrubbing is a part of it.
"""

import statistics
import sys
import time
from collections.abc import Callable

from assent.settings import Settings
from assent.vault.scrub.load import load_rules
from assent.vault.scrub.scrubber import Scrubber
from assent.vault.scrub.stream import StreamScrubber
from assent.vault.scrub.values import Values

RELAY = 38.6
"""Microseconds of the whole server for a chunk before there was any scrubbing (decision 0004)."""
CHUNK = 16
ROUNDS = 15
PROSE = "The deployment went well and all of the checks are green again, so we can go on. " * 60
TALK = "The access token of the service expired; ask for a new password, not for the key. " * 60
IMAGE = "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" * 2000


def measure(work: Callable[[], object], repeats: int) -> float:
    """Microseconds for one, the median of several rounds."""
    rounds: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for _ in range(repeats):
            work()
        rounds.append((time.perf_counter() - begun) / repeats * 1e6)
    return statistics.median(rounds)


def stream(scrubber: Scrubber, text: str) -> float:
    pieces = [text[start : start + CHUNK] for start in range(0, len(text), CHUNK)]

    def feed_all() -> None:
        scrubbing = StreamScrubber(scrubber)
        for piece in pieces:
            scrubbing.feed(piece)
        scrubbing.flush()

    return measure(feed_all, 3) / len(pieces)


def main() -> None:
    rules = load_rules(Settings())
    few = Scrubber(rules, Values(f"value-{number}-of-the-vault" for number in range(20)))
    many = Scrubber(rules, Values(f"value-{number}-of-the-vault" for number in range(2000)))
    for name, scrubber in (("no", Scrubber(rules)), ("20", few), ("2,000", many)):
        for kind, text in (("prose", PROSE), ("talk about secrets", TALK)):
            cost = stream(scrubber, text)
            print(
                f"{kind}, vault of {name} values: {cost:.2f} µs for {CHUNK} characters, "
                f"{cost / RELAY:.3f} of the relay"
            )
    for kind, text in (("prose", PROSE * 20), ("talk", TALK * 20), ("an image", IMAGE)):
        cost = measure(lambda: few.scrub_text(text), 1)  # noqa: B023 - called at once
        print(f"{kind}, {len(text) // 1000} kB at once: {cost / 1000:.2f} ms")
    for kind, text in (
        ("token:", "token: " * 20_000),
        ("a=", "a=" * 70_000),
        ("/@:", "x://:@" * 25_000),
    ):
        one, two = (measure(lambda: few.scrub_text(text * n), 1) for n in (1, 2))  # noqa: B023
        print(f"hostile {kind} 150 kB: {one / 1000:.1f} ms, twice that: {two / one:.2f} times")


if __name__ == "__main__":
    sys.exit(main())
