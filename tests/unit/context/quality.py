"""How good answers to the questions are: the mean of 1/rank, and how often five pages do."""

from collections.abc import Callable, Sequence

from tests.unit.context.questions import QUESTIONS


def measure(rank: Callable[[str], Sequence[str]]) -> tuple[float, float]:
    """MRR and recall at 5 of something that lists slugs of pages for a question."""
    reciprocal = recalled = 0.0
    for question, answers in QUESTIONS:
        found = list(dict.fromkeys(rank(question)))
        place = next((n for n, slug in enumerate(found, 1) if slug in answers.split()), None)
        reciprocal += 1 / place if place else 0
        recalled += place is not None and place <= 5
    return reciprocal / len(QUESTIONS), recalled / len(QUESTIONS)
