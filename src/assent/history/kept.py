"""What is kept of a conversation besides its messages, as it was stored. Pure."""

from dataclasses import dataclass, field
from typing import Any

from assent.history.estimate import Learned, parse_learned
from assent.history.summary import Summary, parse_summary


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The `summary` is of all messages up to number `through`; without one all are replayed.

    `marker` is what the row says, be it right or wrong: whoever replaces it names it.
    """

    summary: Summary | None = None
    through: int = 0
    marker: int | None = None
    learned: Learned = field(default_factory=dict[str, float])


def parse_kept(stored: Any, through: int | None, learned: Any = None) -> Kept:
    """A summary without its marker says nothing, and neither does a marker without its summary."""
    summary, factors = parse_summary(stored), parse_learned(learned)
    if summary is None or through is None:
        return Kept(marker=through, learned=factors)
    return Kept(summary=summary, through=through, marker=through, learned=factors)


def forget_summary(kept: Kept) -> Kept:
    return Kept(marker=kept.marker, learned=kept.learned)
