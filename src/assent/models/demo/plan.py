"""The next step of one clause: lists that are needed, a question, the calls, or why not. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from assent.models.demo.ask import KIND, OTHER, Question, ask_field, ask_kind
from assent.models.demo.choose import Candidate, choose, find_head
from assent.models.demo.lexicon import (
    PREPOSITIONS,
    QUESTIONS,
    READS,
    SEARCHING,
    TELLING,
    VERBS,
    plural,
    stem,
)
from assent.models.demo.lookup import Call, Focus, Kit, Looked, Lookup, unique_calls
from assent.models.demo.narrow import Keep, find_keep, find_unnamed
from assent.models.demo.phrases import Phrase
from assent.models.demo.profile import Field, Profile
from assent.models.demo.references import CONTEXT, Reference
from assent.models.demo.resolve import Row, list_rows, name_of
from assent.models.demo.slots import Filled, fill, list_missing, parse_answer, strip_filler
from assent.models.demo.state import Seen
from assent.models.demo.understand import Clause
from assent.models.demo.words import Word, join_names, join_words, split_text

MOST_SEARCHED = 4
LONGEST_NAME = 4


@dataclass(frozen=True, slots=True)
class Need:
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """The calls that do what was asked. `focus` is what they are about."""

    calls: tuple[Call, ...]
    profile: Profile
    focus: Focus | None = None
    unused: tuple[str, ...] = ()
    keep: Keep | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Cannot:
    """`missing` where only a name leads nowhere, so that another tool may know it."""

    text: str
    missing: bool = False
    failure: Seen | None = None


Plan: TypeAlias = Need | Ready | Ask | Cannot


def plan_clause(clause: Clause, kit: Kit, seen: Sequence[Seen], answers: Mapping[str, str]) -> Plan:
    """Try the tools that may be meant, the likeliest first."""
    if KIND in answers:
        clause = replace(clause, words=(*split_text(answers[KIND]), *clause.words))
    clause = _write_out(clause, kit.focus)
    candidates = choose(clause, kit.profiles)
    if not candidates or not candidates[0].named:
        kind = find_head(clause.words, kit.profiles)
        if kind:
            return Cannot(f"I have no tool here to {_name_verb(clause)} {plural(kind)}.")
    if not candidates or (_is_strange(clause) and not candidates[0].named):
        return Cannot("")
    if clause.action in READS and not candidates[0].named:
        return _name_ids(_search_everywhere(clause, kit), kit, seen)
    return _name_ids(_try(clause, kit, candidates, seen, answers), kit, seen)


def _name_verb(clause: Clause) -> str:
    return "list" if clause.action in READS else clause.verb


def _name_ids(plan: Plan, kit: Kit, seen: Sequence[Seen]) -> Plan:
    """When a read has shown ids, find out what they stand for."""
    if not isinstance(plan, Ready) or not plan.profile.reads:
        return plan
    lookup = Lookup(kit, seen, careful=False)
    results = [lookup.result_of(call) for call in plan.calls]
    rows = [row for one in results if one for row in _list_shown(one.value)]
    needs = find_unnamed(rows, lookup) if all(results) else ()
    return Need(needs) if needs else plan


def _list_shown(value: Any) -> Sequence[Row]:
    listed = list_rows(value)
    if listed is None and isinstance(value, Mapping):
        return [cast(Row, value)]
    return listed or []


def _try(
    clause: Clause,
    kit: Kit,
    candidates: Sequence[Candidate],
    seen: Sequence[Seen],
    answers: Mapping[str, str],
) -> Plan:
    tried: list[tuple[Candidate, Plan]] = []
    for fit in sorted({one.fit for one in candidates}, reverse=True):
        alike = [one for one in candidates if one.fit == fit]
        fresh = [(one, _Attempt(clause, one, kit, seen, answers).plan()) for one in alike]
        needs = [call for _, plan in fresh if isinstance(plan, Need) for call in plan.calls]
        if needs:
            return Need(unique_calls(needs))
        tried += fresh
        if any(isinstance(plan, Ready) for _, plan in fresh):
            break
    return _pick(clause, tried)


def _write_out(clause: Clause, focus: Focus | None) -> Clause:
    """With what `it` stands for in its place."""
    words: list[Word] = []
    for word in clause.words:
        meant = focus if word.key in ("it", "that", "this") else None
        if meant:
            words += [Word(meant.noun), Word(meant.name, quoted=True, after=word.after)]
        elif not (focus and words and words[-1].quoted and word.key == focus.noun):
            words.append(word)
    return replace(clause, words=tuple(words))


def _is_strange(clause: Clause) -> bool:
    """`make me a sandwich`: a kind of thing that no tool knows."""
    first = clause.words[0].key if clause.words else ""
    return clause.action == "create" and first in ("a", "an", "some")


def _pick(clause: Clause, tried: Sequence[tuple[Candidate, Plan]]) -> Plan:
    """Of several that could do it the one that can; a question when several can."""
    first = tried[0][0]
    able = [(one, plan) for one, plan in tried if isinstance(plan, Ready | Ask)]
    ready = [plan for _, plan in able if isinstance(plan, Ready)]
    if len(ready) == 1 or (ready and first.named):
        return ready[0]
    kinds = list(dict.fromkeys(one.profile.noun for one, _ in able if _takes_name(one, clause)))
    if len(kinds) > 1 and not first.named:
        verb = clause.verb if clause.verb in VERBS else first.profile.verb
        return Ask((ask_kind(verb, kinds),))
    told = [plan for _, plan in tried if isinstance(plan, Cannot) and not plan.missing]
    if able and not (told and clause.action == "update"):
        return able[0][1]
    lost = [one for one, plan in tried if isinstance(plan, Cannot) and plan.missing]
    name = join_words(clause.words) if clause.action == "delete" else ""
    if len(lost) > 1 and not first.named and name:
        nouns = list(dict.fromkeys(one.profile.noun for one in lost))
        return Cannot(f"I found no {join_names(nouns, 'or')} called “{name}”.", missing=True)
    return next(iter([*told, tried[0][1]]))


def _asks_for_name(words: Sequence[Word]) -> bool:
    """`what is X`, `the description of X`, and not `what happens if X`."""
    keys = [word.key for word in words]
    plain = not any(key in PREPOSITIONS - {"of"} for key in keys)
    return plain and (not QUESTIONS & set(keys[:1]) or keys[1:2] in (["is"], ["are"]))


def _takes_name(candidate: Candidate, clause: Clause) -> bool:
    return clause.action != "create" or candidate.profile.naming is not None


def _search_everywhere(clause: Clause, kit: Kit) -> Plan:
    """No kind of thing was said: look for the name in every list that can be searched."""
    known = {stem(part) for one in kit.profiles for each in one.fields for part in each.words}
    words = [word for word in strip_filler(clause.words) if stem(word.key) not in known]
    vague = clause.asks and not _asks_for_name(clause.words)
    if not words or len(words) > LONGEST_NAME or vague:
        return Cannot("")
    calls: list[Call] = []
    for profile in kit.profiles:
        searching = profile.find(SEARCHING)
        needs = any(one.required and one != searching for one in profile.fields)
        if profile.reads and searching and not needs:
            calls.append(Call(profile.name, {searching.name: join_words(words)}))
    if not calls:
        return Cannot("")
    chosen = calls[:MOST_SEARCHED]
    first = next(one for one in kit.profiles if one.name == chosen[0].name)
    return Ready(tuple(chosen), first)


class _Attempt:
    """One clause with one tool."""

    def __init__(
        self,
        clause: Clause,
        candidate: Candidate,
        kit: Kit,
        seen: Sequence[Seen],
        answers: Mapping[str, str],
    ) -> None:
        self._clause = clause
        self._profile = candidate.profile
        self._kit = kit
        self._lookup = Lookup(kit, seen, careful=not candidate.profile.reads)
        self._answers = answers

    def plan(self) -> Plan:
        filled = fill(self._clause, self._profile, self._kit.now)
        self._take_answers(filled)
        looked = [self._lookup.find(one) for one in filled.references]
        needs = [call for one in looked for call in one.needs if not one.ids]
        if needs:
            return Need(unique_calls(needs))
        for reference, one in zip(filled.references, looked, strict=True):
            problem = self._judge(reference, one, filled)
            if problem:
                return problem
        several = self._put_ids(filled, [one for one in looked if one.ids])
        return self._complete(filled, several, looked)

    def _take_answers(self, filled: Filled) -> None:
        """What a person answered counts more than what the first words seemed to say."""
        known = {one.name: one for one in self._profile.fields}
        for key, text in self._answers.items():
            field = known.get(key)
            if field is None or text == OTHER:
                continue
            if field.is_id:
                others = [one for one in filled.references if field not in one.fields]
                phrase = Phrase("", split_text(text)).without([field.noun])
                filled.references = (*others, Reference((field,), phrase, text))
                continue
            value = parse_answer(field, text, self._kit.now)
            if value is not None:
                filled.values[key] = value

    def _judge(self, reference: Reference, looked: Looked, filled: Filled) -> Plan | None:
        """What stands in the way of a reference, if anything does."""
        if looked.ids or self._read_otherwise(reference, filled):
            return None
        if looked.failure:
            return Cannot("", failure=looked.failure)
        if looked.question:
            return Ask((looked.question,))
        if reference.phrase.is_pronoun:
            names, _ = self._lookup.list_names(looked.field)
            return Ask((ask_field(self._profile, looked.field, names),))
        nouns = list(dict.fromkeys(one.noun for one in reference.fields))
        name = looked.missing or reference.phrase.text
        return Cannot(f"I found no {join_names(nouns, 'or')} called “{name}”.", missing=True)

    def _read_otherwise(self, reference: Reference, filled: Filled) -> bool:
        """Words that name nothing may say what something is for, or what to search for."""
        phrase = reference.phrase
        telling = self._profile.find(TELLING)
        if reference.soft and telling:
            filled.values.setdefault(
                telling.name, f"{phrase.preposition.capitalize()} {phrase.text}"
            )
            return True
        searching = self._profile.find(SEARCHING) if self._profile.reads else None
        if searching and not phrase.preposition and len(reference.fields) > 1:
            filled.values.setdefault(searching.name, phrase.text)
            return True
        return False

    def _put_ids(
        self, filled: Filled, looked: Sequence[Looked]
    ) -> tuple[Field, tuple[Any, ...]] | None:
        """Set the ids; return the field that has several where each needs a call of its own."""
        several = None
        for one in looked:
            if one.field.kind == "ids":
                filled.values[one.field.name] = self._merge(one, looked)
            elif len(one.ids) > 1:
                several = one.field, one.ids
            filled.values.setdefault(one.field.name, next(iter(one.ids)))
        return several

    def _merge(self, one: Looked, looked: Sequence[Looked]) -> list[Any]:
        """Adding to a list that the call replaces keeps what is in it; removing keeps the rest."""
        rows = [row for other in looked if other is not one for row in other.rows]
        present: list[Any] = next(
            (row[one.field.name] for row in rows if one.field.name in row), list[Any]()
        )
        if self._profile.action == "update" and self._clause.action == "link":
            return list(dict.fromkeys([*present, *one.ids]))
        if self._profile.action == "update" and self._clause.action == "unlink":
            return [each for each in present if each not in one.ids]
        return list(one.ids)

    def _complete(
        self,
        filled: Filled,
        several: tuple[Field, tuple[Any, ...]] | None,
        looked: Sequence[Looked],
    ) -> Plan:
        missing = self._take_places(filled)
        if isinstance(missing, Need):
            return missing
        missing += [one for one in filled.wanted if one.name not in filled.values]
        if missing:
            return self._ask(missing)
        if self._changes_nothing(filled):
            return self._ask_what(looked)
        ready = Ready(
            tuple(self._build(filled, several)),
            self._profile,
            self._focus(filled, looked),
            filled.unused,
        )
        return self._narrow(ready) if self._profile.reads and filled.unused else ready

    def _narrow(self, ready: Ready) -> Plan:
        """A list about something that no argument takes."""
        keep, needs = find_keep(" ".join(ready.unused), self._profile, self._lookup)
        if needs and keep is None:
            return Need(needs)
        return replace(ready, keep=keep, unused=() if keep else ready.unused)

    def _take_places(self, filled: Filled) -> Need | list[Field]:
        missing: list[Field] = []
        for one in list_missing(self._profile, filled.values):
            if not one.is_id or one.kind == "ids" or one.noun not in CONTEXT:
                missing.append(one)
                continue
            found, needs = self._lookup.find_place(one)
            if needs:
                return Need(needs)
            if found is None:
                missing.append(one)
            else:
                filled.values[one.name] = found
        return missing

    def _ask(self, missing: Sequence[Field]) -> Plan:
        """One card for everything that is missing, with names to choose from for an id."""
        difficult = [one for one in missing if one.kind == "other"]
        if difficult:
            return Cannot(
                f"“{self._profile.label}” needs {difficult[0].label}, which is more than I can "
                "fill in: I am the built-in demo model."
            )
        questions: list[Question] = []
        for one in missing:
            names, needs = self._lookup.list_names(one) if one.is_id else ([], ())
            if needs:
                return Need(needs)
            questions.append(ask_field(self._profile, one, names))
        return Ask(tuple(questions))

    def _changes_nothing(self, filled: Filled) -> bool:
        optional = [one for one in self._profile.fields if not one.required]
        given = [one for one in optional if one.name in filled.values and not one.is_id]
        plain = any(not one.is_id for one in optional)
        required = any(one.required and not one.is_id for one in self._profile.fields)
        lists = any(one.required and one.kind == "ids" for one in self._profile.fields)
        return self._profile.action == "update" and plain and not (given or required or lists)

    def _ask_what(self, looked: Sequence[Looked]) -> Plan:
        known = [one.label for one in self._profile.fields if not one.required and not one.is_id]
        name = join_names(self._lookup.used) or f"the {self._profile.noun}"
        return Cannot(f"Tell me what to change about {name}: its {join_names(known, 'or')}.")

    def _build(self, filled: Filled, several: tuple[Field, tuple[Any, ...]] | None) -> list[Call]:
        order = {one.name: at for at, one in enumerate(self._profile.fields)}
        base = dict(sorted(filled.values.items(), key=lambda pair: order[pair[0]]))
        if several:
            field, ids = several
            return [Call(self._profile.name, {**base, field.name: one}) for one in ids]
        naming = self._profile.naming
        if naming and filled.names:
            return [Call(self._profile.name, {**base, naming.name: one}) for one in filled.names]
        return [Call(self._profile.name, self._widen(base))]

    def _widen(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Counting takes as many as a page can have."""
        limit = self._profile.find(("limit",))
        if self._clause.action == "count" and limit and limit.maximum:
            return {**arguments, limit.name: limit.maximum}
        return arguments

    def _focus(self, filled: Filled, looked: Sequence[Looked]) -> Focus | None:
        """What it is about: the new name of it, or the name by which it was found."""
        naming, noun = self._profile.naming, self._profile.noun
        named = filled.values.get(naming.name) if naming else None
        found = [name_of(row) for one in looked if one.field.noun == noun for row in one.rows]
        name = named or next(iter(found), None)
        return Focus(noun, str(name)) if name else None
