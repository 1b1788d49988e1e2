"""How well a passage fits a query: BM25, and what is added to it. Pure.

Passages may lie in several places, of which each counts its own: the figures are of all together,
so that scores can be compared.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

SATURATION, LENGTH = 1.2, 0.6
ALL_WORDS = 0.4
"""What a passage gains that has all words of the query, as a part of its score."""
REFERENCE = 0.8
"""What a table of everything is worth, against a page that explains something."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Passages, the sum of their lengths, and in how many of them each word stands."""

    passages: int = 0
    length: float = 0.0
    places: Mapping[str, int] = field(default_factory=dict[str, int])

    def __add__(self, other: "Counts") -> "Counts":
        words = self.places.keys() | other.places.keys()
        places = {word: self.places.get(word, 0) + other.places.get(word, 0) for word in words}
        return Counts(self.passages + other.passages, self.length + other.length, places)

    @property
    def mean(self) -> float:
        return self.length / max(1, self.passages) or 1.0

    def rarity(self, word: str) -> float:
        places = self.places.get(word, 0)
        return math.log(1 + (self.passages - places + 0.5) / (places + 0.5))


def saturate(weight: float, length: float, mean: float) -> float:
    relative = length / mean
    return weight * (SATURATION + 1) / (weight + SATURATION * (1 - LENGTH + LENGTH * relative))


def add_for_all(score: float, *, said: int, wanted: int) -> float:
    """More for a passage that has so many of the words that were wanted."""
    return score * (1 + ALL_WORDS * (said / max(1, wanted)) ** 2)
