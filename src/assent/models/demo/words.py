"""Text as words: quoted names stay whole, punctuation is kept, camelCase is taken apart. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_CONTRACTED = re.compile(
    r"\b(what|which|who|where|how|it|that|there|here)['’]s\b|\b(let)['’]s\b|\b(i)['’](d|m)\b", re.I
)
_ARROW = re.compile(r"\s(?:->|=>|→)\s")
_TOKEN = re.compile(
    r'"(?P<double>[^"\n]{1,400})"'
    r"|“(?P<curly>[^”\n]{1,400})”|„(?P<low>[^“”\n]{1,400})[“”]|«(?P<angle>[^»\n]{1,400})»|`(?P<code>[^`\n]{1,400})`"
    r"|(?<!\w)'(?P<single>[^'\n]{1,400})'(?!\w)|(?<!\w)‘(?P<bent>[^’\n]{1,400})’(?!\w)"
    r"|(?P<own>['’]s\b)"
    r"|(?P<mark>[,;:!?.…—](?=\s|$)|[\n=()\"“”„«»`]|[–-](?=\s))"
    r"|(?P<bare>(?:(?!['’]s\b)[^\s,;:!?.…=()\"“”„«»`—]|[,;:!?.…](?=\S)|['’](?!s\b))+)"
)
_CAMEL = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-Z]+(?![a-z])|\d+")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or all that stood in quotes; `after` is the punctuation behind it."""

    text: str
    quoted: bool = False
    after: str = ""

    @property
    def key(self) -> str:
        """What it is compared by; nothing that was quoted counts as a word of the language."""
        return "" if self.quoted else self.text.casefold()


OWN = "'s"
"""The possessive, a word of its own."""


def words_of(text: str) -> frozenset[str]:
    """For the tables of the language: words with spaces between them."""
    return frozenset(text.split())


def split_text(text: str) -> tuple[Word, ...]:
    words: list[Word] = []
    for match in _TOKEN.finditer(expand(text)):
        kind, part = match.lastgroup or "", match[0]
        if kind == "mark":
            if words:
                last = words[-1]
                words[-1] = Word(last.text, last.quoted, last.after + part)
        elif kind == "own":
            words.append(Word(OWN))
        elif kind == "bare":
            words.append(Word(part))
        else:
            words.append(Word(match[kind].strip(), quoted=True))
    return tuple(words)


def expand(text: str) -> str:
    """Write contractions out, so that only possessives are left."""
    longer = {"'s": "is", "d": "would", "m": "am"}

    def write_out(match: re.Match[str]) -> str:
        if match[2]:
            return f"{match[2]} us"
        if match[3]:
            return f"{match[3]} {longer[match[4].casefold()]}"
        return f"{match[1]} is"

    return _ARROW.sub(" to ", _CONTRACTED.sub(write_out, text))


def join_words(words: Sequence[Word]) -> str:
    """The words as a person would write them, quotes and the last punctuation left out."""
    text = ""
    for word in words:
        text += word.text if word.text == OWN else f" {word.text}"
        text += word.after.rstrip("\n").strip('"“”„«»`=') if word is not words[-1] else ""
    return text.strip()


def split_name(name: str) -> tuple[str, ...]:
    """`listSystems` as `list`, `systems`."""
    return tuple(part.casefold() for part in _CAMEL.findall(name))


def find_uuids(text: str) -> list[str]:
    return _UUID.findall(text)


def is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def fold(text: str) -> str:
    """For comparing names: without case, accents and doubled spaces."""
    plain = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(one for one in plain if not unicodedata.combining(one))


def join_names(names: Iterable[str], last: str = "and") -> str:
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"
