"""One clause with one tool: its arguments, the ids it needs, and what is still missing. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assent.models.demo.ask import OTHER, Question, ask_field
from assent.models.demo.choose import Candidate
from assent.models.demo.lexicon import SEARCHING, TELLING
from assent.models.demo.lookup import Call, Focus, Kit, Looked, Lookup, unique_calls
from assent.models.demo.narrow import find_keep
from assent.models.demo.outcome import Ask, Cannot, Need, Plan, Ready
from assent.models.demo.phrases import Phrase
from assent.models.demo.profile import Field
from assent.models.demo.references import CONTEXT, Reference
from assent.models.demo.resolve import name_of
from assent.models.demo.slots import Filled, fill, list_missing, parse_answer
from assent.models.demo.state import Seen
from assent.models.demo.understand import Clause
from assent.models.demo.words import join_names, split_text


class Attempt:
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
        only = any(word.key == "only" for word in self._clause.words)
        if self._profile.action == "update" and self._clause.action == "link" and not only:
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
