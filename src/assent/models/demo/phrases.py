"""The words of a clause as a pool from which values are taken one after another. Pure.

What is left when all fields had their turn is read as phrases, each behind its preposition.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assent.models.demo.lexicon import DETERMINERS, PREPOSITIONS, PRONOUNS, STOP, singular, stem
from assent.models.demo.words import OWN, Word, join_words, words_of

FILLER = STOP | words_of(
    "run running runs exist exists existing here currently available know known got right now "
    "registered configured defined overview everything stuff things thing list info information "
    "details about more please entry entries called named name names present together belong "
    "belongs table"
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words behind a preposition; the object of the verb stands behind none."""

    preposition: str
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return join_words(self.words)

    def mentions(self, noun: str) -> bool:
        """Whether the kind of thing is said, in the singular or the plural."""
        last = noun.split()[-1:] or [""]
        return any(word.key and singular(word.key) == singular(last[0]) for word in self.words)

    def mentions_one(self, noun: str) -> bool:
        """Whether one thing of the kind is spoken of."""
        return any(word.key == singular(noun) for word in self.words)

    def without(self, nouns: Collection[str]) -> "Phrase":
        """Only the name: without articles and without the kind of thing."""
        kinds = {singular(part) for noun in nouns for part in noun.split()}
        kept = [word for word in self.words if word.quoted or singular(word.key) not in kinds]
        if kept and not kept[0].quoted and not _strip_determiners(kept):
            return Phrase(self.preposition, ())
        return Phrase(self.preposition, tuple(_strip_determiners(kept)))

    @property
    def is_pronoun(self) -> bool:
        keys = [word.key for word in self.words if word.key != "the"]
        return bool(keys) and all(key in PRONOUNS for key in keys)


def _strip_determiners(words: Sequence[Word]) -> list[Word]:
    rest = list(words)
    while rest and rest[0].key in DETERMINERS | {"and", "or"}:
        rest.pop(0)
    while rest and rest[-1].key in ("and", "or", "also", "too", "only"):
        rest.pop()
    return rest


class Pool:
    """The words of one clause, and which of them were taken."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = tuple(words)
        self._taken: set[int] = set()

    def __len__(self) -> int:
        return len(self.words)

    def key(self, at: int) -> str:
        return self.words[at].key if 0 <= at < len(self.words) else ""

    def is_free(self, at: int) -> bool:
        return 0 <= at < len(self.words) and at not in self._taken

    def take(self, start: int, end: int) -> str:
        """Use words up, and return them as text."""
        self._taken.update(range(start, end))
        return join_words(self.words[start:end])

    def find(self, parts: Sequence[str]) -> int | None:
        """Where these words stand free, one behind the other, whatever their endings."""
        wanted = [stem(part) for part in parts]
        for at in range(len(self.words) - len(wanted) + 1):
            here = range(at, at + len(wanted))
            if all(self.is_free(one) for one in here) and wanted == [
                stem(self.key(one)) for one in here
            ]:
                return at
        return None

    def phrases(self) -> list[Phrase]:
        """What is left, cut at prepositions and where something was taken out."""
        found: list[Phrase] = []
        preposition, run = "", list[Word]()
        for at, word in enumerate(self.words):
            if at in self._taken:
                found.append(Phrase(preposition, tuple(run)))
                preposition, run = "", []
            elif word.key == OWN:
                found.append(Phrase("of", tuple(run)))
                preposition, run = "", []
            elif word.key in PREPOSITIONS:
                if run and run[-1].key == "out":
                    run.pop()
                found.append(Phrase(preposition, tuple(run)))
                preposition, run = word.key, []
            else:
                run.append(word)
        found.append(Phrase(preposition, tuple(run)))
        return [one for one in found if one.words]


def split_names(words: Sequence[Word]) -> list[str]:
    """Several names, with commas or "and" between them."""
    names: list[list[Word]] = [[]]
    for word in words:
        if word.key in ("and", "or"):
            names.append([])
            continue
        names[-1].append(word)
        if "," in word.after:
            names.append([])
    return [join_words(_strip_determiners(name)) for name in names if _strip_determiners(name)]


def strip_filler(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words if word.quoted or word.key not in FILLER)
