"""What a request will come to for a model, learned from what its provider reported before. Pure.

The count in `models/estimate.py` is off by a factor that depends on the model and on what is read:
a conversation about identifiers has more tokens than one about the weather. The factor rises at
once and falls slowly, because a request that is too large is refused, and one that is a bit smaller
than it could be costs nothing. A provider that reports nonsense cannot move it out of its bounds.
"""

from collections.abc import Mapping
from typing import Any

from assent.models.estimate import IMAGE_TOKENS, count_images, estimate_request
from assent.models.integration import Chosen
from assent.models.model import ModelRequest

LEAST, MOST = 0.7, 4.0
FALL = 4
"""A lower reading counts one in so many."""
RISE = 1.6
STRANGER = 1.15
"""Tokenizers differ: a model that nobody has asked here yet may count more than the others did."""
TELLING = 200
"""Tokens from which on a report says something."""

Learned = Mapping[str, float]
"""Factors by model, as they are stored with the conversation."""


def name_model(chosen: Chosen) -> str:
    owner = chosen.integration.id if chosen.integration else "demo"
    return f"{owner}/{chosen.model}"


def find_factor(learned: Learned, name: str) -> float:
    """What is known of this model, else the worst of the others, with some room."""
    known = learned.get(name)
    if known is not None:
        return known
    return _bound(max([1.0, *learned.values()]) * STRANGER) if learned else 1.0


def learn(learned: Learned, name: str, *, estimated: int, reported: int) -> dict[str, float]:
    """With one more report. `estimated` and `reported` are of the same request."""
    if estimated < TELLING or reported <= 0:
        return dict(learned)
    seen, before = _bound(reported / estimated), learned.get(name)
    if before is not None and seen < before:
        seen = before - (before - seen) / FALL
    return {**learned, name: round(seen, 3)}


def raise_factor(learned: Learned, name: str) -> dict[str, float]:
    """After a provider found a request too long that was to fit."""
    return {**learned, name: round(_bound(find_factor(learned, name) * RISE), 3)}


def count_tokens(request: ModelRequest, factor: float) -> int:
    """Images keep their own count: no factor of texts says anything about them."""
    images = count_images(request.messages) * IMAGE_TOKENS
    return round((estimate_request(request) - images) * factor) + images


def parse_learned(stored: Any) -> dict[str, float]:
    """What of a stored value can be believed."""
    if not isinstance(stored, Mapping):
        return {}
    return {
        str(name): _bound(float(factor))  # pyright: ignore[reportUnknownArgumentType]
        for name, factor in stored.items()  # pyright: ignore[reportUnknownVariableType]
        if isinstance(factor, int | float) and not isinstance(factor, bool) and factor == factor
    }


def _bound(factor: float) -> float:
    return min(max(factor, LEAST), MOST)
