"""The next step of one clause: lists that are needed, a question, the calls, or why not. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from assent.models.demo.ask import KIND, ask_kind
from assent.models.demo.attempt import Attempt
from assent.models.demo.choose import Candidate, choose, find_head
from assent.models.demo.lexicon import (
    PREPOSITIONS,
    QUESTIONS,
    READS,
    SEARCHING,
    VERBS,
    plural,
    stem,
)
from assent.models.demo.lookup import Call, Focus, Kit, Lookup, unique_calls
from assent.models.demo.narrow import find_unnamed
from assent.models.demo.outcome import Ask, Cannot, Need, Plan, Ready
from assent.models.demo.phrases import strip_filler
from assent.models.demo.profile import OWN_NAMESPACE
from assent.models.demo.resolve import Row, list_rows
from assent.models.demo.state import Seen
from assent.models.demo.understand import Clause
from assent.models.demo.words import Word, join_names, join_words, split_text

MOST_SEARCHED = 4
LONGEST_NAME = 4


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
        fresh = [(one, Attempt(clause, one, kit, seen, answers).plan()) for one in alike]
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
        own = profile.namespace == OWN_NAMESPACE
        if profile.reads and searching and not needs and not own:
            calls.append(Call(profile.name, {searching.name: join_words(words)}))
    if not calls:
        return Cannot("")
    chosen = calls[:MOST_SEARCHED]
    first = next(one for one in kit.profiles if one.name == chosen[0].name)
    return Ready(tuple(chosen), first)
