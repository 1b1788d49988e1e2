"""Which of the offered tools a clause may mean, the likeliest first. Pure.

What a verb asks for decides who is in question at all; among those the words decide, the rare ones
more than the common ones, those in a name more than those in a description.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assent.models.demo.lexicon import READS, STOP, are_alike, stem
from assent.models.demo.profile import OWN_NAMESPACE, Profile, find_source
from assent.models.demo.understand import Clause, Vocabulary
from assent.models.demo.words import OWN, Word, split_name

IN_NAME, IN_FIELD, IN_TEXT, IN_SOURCE = 3.0, 1.5, 1.0, 0.5
FIT_WEIGHT = 4.0
HEAD_WEIGHT = 2.0
UNNAMED_COST = 1.0
MARGIN = 1.5
MOST = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool with how well it fits; `named` counts the nouns of it that were said."""

    profile: Profile
    fit: float
    score: float
    named: int


def choose(clause: Clause, profiles: Sequence[Profile]) -> tuple[Candidate, ...]:
    """Those whose nouns were said, or all that the verb allows where none was."""
    places = {one.name: _place_words(one, profiles) for one in profiles}
    spread = Counter(word for words in places.values() for word in words)
    wanted = list_content(clause.words)
    head = stem(find_head(clause.words, profiles))
    found = [
        Candidate(
            profile=one,
            fit=fit,
            score=FIT_WEIGHT * fit
            + _weigh(wanted, places[one.name], spread, len(profiles))
            + HEAD_WEIGHT * (stem(one.noun) == head)
            - _cost(one, wanted),
            named=_count_named(one, wanted),
        )
        for one in profiles
        if one.namespace != OWN_NAMESPACE and (fit := _fit(clause, one)) > 0
    ]
    found.sort(key=lambda one: (-one.score, one.profile.name))
    return _narrow(found, clause)


def read_vocabulary(profiles: Sequence[Profile]) -> Vocabulary:
    return Vocabulary(
        verbs=frozenset(one.verb for one in profiles),
        nouns=frozenset(noun for one in profiles for noun in (*one.objects, one.namespace)),
    )


def _narrow(found: Sequence[Candidate], clause: Clause) -> tuple[Candidate, ...]:
    named = [one for one in found if one.named]
    if not named:
        least = found[0].score - MARGIN if found and clause.action == "update" else -math.inf
        return tuple(one for one in found[:MOST] if one.score >= least)
    if clause.action in READS:
        return tuple(named[:1])
    most = max(one.named for one in named)
    return tuple(
        one for one in named if one.named == most and one.score >= named[0].score - MARGIN
    )[:MOST]


def find_head(words: Sequence[Word], profiles: Iterable[Profile]) -> str:
    """What the clause is about: the first noun of a tool, or the one that another possesses."""
    nouns = {stem(one): one for each in profiles for one in each.objects}
    said = [stem(word.key) for word in words]
    owned = said[said.index(stem(OWN)) :] if stem(OWN) in said else []
    return next((nouns[word] for word in (*owned, *said) if word in nouns), "")


def list_content(words: Sequence[Word]) -> list[str]:
    """The stems of the words that mean something."""
    return [stem(word.key) for word in words if word.key and word.key not in STOP]


def _fit(clause: Clause, profile: Profile) -> float:
    """How well what a tool does is what the clause asks for. A question never changes anything."""
    asked, done = clause.action, profile.action
    if asked in READS or profile.reads:
        return 1.0 if asked in READS and profile.reads else 0.0
    if (asked, done) in (("create", "link"), ("delete", "unlink")):
        return 0.0
    if clause.verb == "rename" and profile.naming is None:
        return 0.0
    if asked == done != "do" or are_alike(clause.verb, profile.verb):
        return 1.0
    if asked in ("update", "do") and any(are_alike(w, profile.verb) for w in _list_keys(clause)):
        return 0.9
    sets_many = done == "update" and any(field.kind == "ids" for field in profile.fields)
    return 0.6 if asked in ("link", "unlink") and sets_many else 0.0


def _list_keys(clause: Clause) -> list[str]:
    return [word.key for word in clause.words if word.key and word.key not in STOP]


def _place_words(profile: Profile, profiles: Sequence[Profile]) -> dict[str, float]:
    """Each word that speaks for a tool, with the weight of the best place it stands in."""
    sources = [find_source(field, profiles) for field in profile.fields if field.is_id]
    fields = [word for field in profile.fields for word in (*field.words, *field.options)]
    weighed: dict[str, float] = {}
    for words, weight in (
        (_cut(one.description for one in sources if one), IN_SOURCE),
        (_cut([profile.description, *(one.description for one in profile.fields)]), IN_TEXT),
        (_cut(fields), IN_FIELD),
        ([profile.namespace, *profile.objects, profile.verb], IN_NAME),
    ):
        weighed.update({stem(word): weight for word in words if word not in STOP})
    return weighed


def _cut(texts: Iterable[str]) -> list[str]:
    return [part for text in texts for part in split_name(text)]


def _weigh(
    wanted: Sequence[str], places: Mapping[str, float], spread: Mapping[str, int], total: int
) -> float:
    return sum(
        places[word] * math.log(1 + total / spread[word]) for word in set(wanted) if word in places
    )


def _cost(profile: Profile, wanted: Sequence[str]) -> float:
    """Nouns that nobody said count against a tool, and so does an id that nobody gave."""
    silent = [one for one in profile.objects[1:] if stem(one) not in wanted]
    nouns = {stem(one) for one in (profile.namespace, *profile.objects)}
    needs = any(field.is_id and field.required for field in profile.fields)
    given = any(word not in nouns for word in wanted)
    getting = 0.0
    if profile.reads and needs:
        getting = -UNNAMED_COST if given else FIT_WEIGHT
    return UNNAMED_COST * len(silent) + getting


def _count_named(profile: Profile, wanted: Sequence[str]) -> int:
    return sum(stem(one) in wanted for one in {*profile.objects, profile.namespace})
