"""From names to ids, with what lists have shown so far; says which list is needed next. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from assent.models.demo.ask import Question, ask_which
from assent.models.demo.lexicon import SEARCHING
from assent.models.demo.phrases import Phrase, split_names
from assent.models.demo.playbook import Playbook
from assent.models.demo.profile import Field, Profile, find_source
from assent.models.demo.references import Reference
from assent.models.demo.resolve import Match, Row, id_of, is_cut, list_rows, match_name, name_of
from assent.models.demo.state import Place, Seen
from assent.models.demo.words import fold, is_uuid


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Focus:
    """What was spoken of last, for `it`."""

    noun: str
    name: str


@dataclass(frozen=True, slots=True)
class Kit:
    """What a clause is planned with: the tools, and what the prompt and the past say."""

    profiles: tuple[Profile, ...]
    places: tuple[Place, ...] = ()
    now: datetime | None = None
    focus: Focus | None = None
    playbooks: tuple[Playbook, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def given(self) -> Collection[str]:
        return {place.noun for place in self.places}


@dataclass(slots=True)
class Looked:
    """What became of one reference: found rows, a list that is needed, a question, or nothing."""

    field: Field
    ids: tuple[Any, ...] = ()
    rows: tuple[Row, ...] = ()
    needs: tuple[Call, ...] = ()
    question: Question | None = None
    failure: Seen | None = None
    missing: str = ""


@dataclass(slots=True)
class Lookup:
    """Looks names up in the results of one window."""

    kit: Kit
    seen: Sequence[Seen]
    careful: bool
    """Whether a name that is only close has to be asked about."""
    used: list[str] = field(default_factory=list[str])

    def find(self, reference: Reference) -> Looked:
        """The first field for which the name leads somewhere; else the first that it may be."""
        looked = [self._find_for(one, reference) for one in reference.fields]
        good = [one for one in looked if one.ids]
        asking = [one for one in looked if one.question or one.failure]
        needs = tuple(call for one in looked for call in one.needs)
        if needs and not good:
            return replace(looked[0], needs=unique_calls(needs))
        return next(iter([*good, *asking, *looked]))

    def list_names(self, one: Field) -> tuple[list[str], tuple[Call, ...]]:
        """All names that an id may stand for, or the list that would tell."""
        source = find_source(one, self.kit.profiles, self.kit.given)
        if source is None:
            return [], ()
        call = self.list_call(source)
        result = self.result_of(call)
        if result is None:
            return [], (call,)
        return [name_of(row) for row in list_rows(result.value) or ()], ()

    def find_place(self, one: Field) -> tuple[Any, tuple[Call, ...]]:
        """An id that says where: from the prompt, or the only one that lists show."""
        place = next((place for place in self.kit.places if place.noun == one.noun), None)
        if place:
            return place.id, ()
        lists = [find_source(field, self.kit.profiles) for field in self._list_ids()]
        calls = [self.list_call(source) for source in lists if source]
        results = [self.result_of(call) for call in calls]
        rows = [row for seen in results if seen for row in list_rows(seen.value) or ()]
        shown = {str(row[one.name]) for row in rows if row.get(one.name)}
        if len(shown) == 1:
            return shown.pop(), ()
        unseen = [call for call, seen in zip(calls, results, strict=True) if seen is None]
        return None, tuple(unseen[:1]) if not shown else ()

    def _list_ids(self) -> list[Field]:
        return [one for each in self.kit.profiles for one in each.fields if one.is_id]

    def _find_for(self, one: Field, reference: Reference) -> Looked:
        phrase = reference.phrase
        literal = [name for name in split_names(phrase.words) if is_uuid(name)]
        if literal:
            return Looked(one, ids=tuple(literal), rows=tuple({"id": name} for name in literal))
        place = self._match_place(one, phrase)
        if place:
            return Looked(one, ids=(place.id,), rows=({"id": place.id, "name": place.name},))
        source = find_source(one, self.kit.profiles, self.kit.given)
        if source is None:
            return Looked(one, missing=phrase.text)
        return self._find_in(one, source, reference, phrase)

    def _match_place(self, one: Field, phrase: Phrase) -> Place | None:
        return next(
            (
                place
                for place in self.kit.places
                if place.noun == one.noun and fold(place.name) == fold(phrase.text)
            ),
            None,
        )

    def _find_in(self, one: Field, source: Profile, reference: Reference, phrase: Phrase) -> Looked:
        call = self.list_call(source)
        result = self.result_of(call)
        if result is None:
            return Looked(one, needs=(call,))
        if result.is_error:
            return Looked(one, failure=result)
        rows = list_rows(result.value) or []
        whole = match_name([phrase.text, reference.raw], rows)
        names = split_names(phrase.words)
        matches = {phrase.text: whole}
        if whole.kind != "exact" and len(names) > 1:
            matches = {name: match_name([name], rows) for name in names}
        inexact = [name for name, match in matches.items() if match.kind != "exact"]
        if inexact and is_cut(result.value):
            return self._find_by_search(one, source, inexact[0], rows)
        return self._settle(one, matches)

    def _find_by_search(
        self, one: Field, source: Profile, name: str, rows: Sequence[Row]
    ) -> Looked:
        """The list was too long to show the name: ask for the name."""
        searching = source.find((*SEARCHING, "name"))
        if searching is None:
            return self._settle(one, {name: match_name([name], rows)})
        call = self.list_call(source)
        narrowed = Call(call.name, {**call.arguments, searching.name: name})
        result = self.result_of(narrowed)
        if result is None:
            return Looked(one, needs=(narrowed,))
        return self._settle(one, {name: match_name([name], list_rows(result.value) or [])})

    def _settle(self, one: Field, matches: Mapping[str, Match]) -> Looked:
        found: list[Row] = []
        for name, match in matches.items():
            if match.kind == "none":
                return Looked(one, missing=name)
            unsure = match.kind == "many" or (match.kind == "close" and self.careful)
            if unsure:
                return Looked(one, question=ask_which(one, _tell_apart(match.rows)))
            found.append(match.rows[0])
        self.used.extend(name_of(row) for row in found)
        return Looked(one, ids=tuple(id_of(row, one.noun) for row in found), rows=tuple(found))

    def list_call(self, source: Profile) -> Call:
        arguments: dict[str, Any] = {}
        for one in source.fields:
            if one.required:
                arguments[one.name], _ = self.find_place(one)
            elif one.name == "limit" and one.maximum:
                arguments[one.name] = one.maximum
        return Call(source.name, arguments)

    def result_of(self, call: Call) -> Seen | None:
        return next((one for one in self.seen if one.is_call(call.name, call.arguments)), None)


def _tell_apart(rows: Sequence[Row]) -> list[str]:
    """Names; with the id behind those that several things have."""
    names = [name_of(row) for row in rows]
    return [
        name if names.count(name) == 1 else str(row.get("id", name))
        for name, row in zip(names, rows, strict=True)
    ]


def unique_calls(calls: Sequence[Call]) -> tuple[Call, ...]:
    return tuple(call for at, call in enumerate(calls) if call not in calls[:at])
