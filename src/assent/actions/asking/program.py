"""The program that asked for a change, as whoever decides is shown it. Pure.

What a program says of itself is text of strangers: it is shortened, and nothing is left in it that
hides, moves or mimics what stands beside it.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

LONGEST_NAME = 80
LONGEST_HOST = 255
NAMELESS = "A program without a name"
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control characters, marks of direction and of no width, and what is no character at all."""
MOST_MARKS = 2
"""Accents on one letter; more of them run into the lines above and below."""
HOST = re.compile(r"[A-Za-z0-9._:\[\]-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """`verified`: its host vouches for the name; otherwise the program says so itself.

    `connection_id` is the consent under which it acts for a person; an application has none.
    """

    name: str
    host: str | None = None
    verified: bool = False
    connection_id: UUID | None = None

    def encode(self) -> dict[str, Any]:
        connection = str(self.connection_id) if self.connection_id else None
        return {
            "name": self.name,
            "host": self.host,
            "verified": self.verified,
            "connectionId": connection,
        }


def parse_program(encoded: Mapping[str, Any] | None) -> Program | None:
    if encoded is None:
        return None
    connection = encoded.get("connectionId")
    return Program(
        name=encoded["name"],
        host=encoded["host"],
        verified=encoded["verified"],
        connection_id=UUID(connection) if connection else None,
    )


def build_program(
    name: str,
    *,
    host: str | None = None,
    verified: bool = False,
    connection_id: UUID | None = None,
) -> Program:
    """From what a program says of itself. A host that is none is left out, and vouches for none."""
    known = host[:LONGEST_HOST] if host and HOST.fullmatch(host) else None
    return Program(
        name=tidy(name, LONGEST_NAME) or NAMELESS,
        host=known,
        verified=verified and known is not None,
        connection_id=connection_id,
    )


def tidy(text: str, longest: int) -> str:
    """One line of visible characters, cut to size."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[: longest * 8]):
        kind = unicodedata.category(character)
        marks = marks + 1 if kind.startswith("M") else 0
        if character.isspace() or kind in UNSEEN:
            kept.append(" " if character.isspace() else "")
        elif marks <= MOST_MARKS:
            kept.append(character)
    line = " ".join("".join(kept).split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
