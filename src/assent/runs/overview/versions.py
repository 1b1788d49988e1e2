"""Older versions of a message, each with what was answered to it. Pure."""

from collections.abc import Sequence
from itertools import groupby
from uuid import UUID

from assent.runs.overview.line import FinishedMessage, OlderVersion


def build_versions(found: Sequence[tuple[UUID, FinishedMessage]], count: int) -> list[OlderVersion]:
    """From messages with what took their place, oldest first, of the newest of so many versions.

    One whose beginning is not among them is left out.
    """
    grouped = [
        [message for _, message in group] for _, group in groupby(found, key=lambda one: one[0])
    ]
    first = count - len(grouped) + 1
    return [
        OlderVersion(number=number, messages=messages)
        for number, messages in enumerate(grouped, first)
        if messages[0].role == "user"
    ]
