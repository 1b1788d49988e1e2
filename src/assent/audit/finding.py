"""What is wrong with a log, as a value. Pure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Fault: TypeAlias = Literal[
    "changed",
    "removed",
    "inserted",
    "moved",
    "rewritten",
    "head",
    "unsigned",
    "cut_off",
    "kept_head",
    "unreadable",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """`first` to `last` are the positions that it is about."""

    fault: Fault
    first: int
    last: int
    message: str


def name_entries(first: int, last: int) -> str:
    return f"Entry {first}" if first == last else f"Entries {first} to {last}"
