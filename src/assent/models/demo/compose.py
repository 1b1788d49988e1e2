"""Answers in words: short, calm, and about nothing that no result shows. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assent.models.demo.lexicon import SEARCHING, count_of, plural
from assent.models.demo.lookup import Call
from assent.models.demo.narrow import find_end
from assent.models.demo.outcome import Ready
from assent.models.demo.profile import OWN_NAMESPACE, Profile
from assent.models.demo.resolve import Row, is_cut, list_rows, name_of
from assent.models.demo.state import NOTHING, Decision, Seen, list_issues
from assent.models.demo.table import (
    MOST_ROWS,
    escape,
    write_fields,
    write_label,
    write_rows,
    write_value,
)
from assent.models.demo.understand import Clause
from assent.models.demo.words import join_names

WHO = "I am the built-in demo model: fixed rules, no AI provider behind me."
MOST_EXAMPLES, MOST_STORIES = 4, 4
_NARROWED = re.compile(r"(\d+) of (\d+) (?:items|entries|elements)")
_ORDER = ("list", "find", "create", "update", "link", "unlink", "do", "delete")


def introduce(profiles: Sequence[Profile], examples: Sequence[str]) -> str:
    """Who this is and what it can do, from the tools that are offered."""
    lines = list_abilities(profiles)
    if not lines:
        return (
            f"{WHO} No tools are offered to me here, so I can only chat a little. "
            "An admin can connect a model provider under Integrations."
        )
    return (
        f"{WHO} I understand plain requests such as these:\n\n"
        + "\n".join(f"- {line}" for line in examples)
        + "\n\nWith the tools that you may use I can:\n\n"
        + "\n".join(f"- {line}" for line in lines)
        + "\n\nNothing changes before you have confirmed it. For free conversation, an admin can "
        "connect a model provider under Integrations."
    )


def greet(examples: Sequence[str]) -> str:
    listed = join_names((f"“{one}”" for one in examples[:2]), "or")
    hint = f" You could ask: {listed}." if listed else ""
    return f"Hello! {WHO}{hint}"


def admit(examples: Sequence[str], unclear: Sequence[str] = ()) -> str:
    """For what it did not understand."""
    said = join_names(f"“{_shorten(one)}”" for one in unclear)
    what = f"I did not understand {said}." if said else "I did not understand that."
    listed = "\n".join(f"- {line}" for line in examples)
    if not listed:
        return f"{what} {WHO}"
    return f"{what} {WHO} I can help with requests like these:\n\n{listed}"


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"


def list_abilities(profiles: Sequence[Profile]) -> list[str]:
    """One line for each verb: `list systems, groups and environments`."""
    by_verb: dict[str, list[str]] = {}
    own = [one for one in profiles if one.namespace != OWN_NAMESPACE]
    for one in sorted(own, key=lambda one: _ORDER.index(one.action) if one.action in _ORDER else 0):
        by_verb.setdefault(one.verb, []).append(_name_objects(one))
    return [f"{verb} {join_names(dict.fromkeys(nouns))}" for verb, nouns in by_verb.items()]


def _name_objects(profile: Profile) -> str:
    joint = {"link": " to ", "unlink": " from "}.get(profile.action, " ")
    return joint.join(plural(one) if joint != " " or one == profile.objects[-1] else one
                      for one in profile.objects)  # fmt: skip


def list_examples(profiles: Sequence[Profile], told: Sequence[str] = ()) -> list[str]:
    """What could be asked for: `told` are the stories that plugins ship."""
    own = [one for one in profiles if one.namespace != OWN_NAMESPACE and len(one.objects) == 1]
    patterns = (
        ("list", "List the {many}"),
        ("create", "Create a new {one} called example"),
        ("update", "Rename the {one} example to sample"),
        ("delete", "Delete the {one} sample"),
    )
    examples: list[str] = []
    for action, pattern in patterns:
        fitting = [one for one in own if one.action == action and _suits(one)]
        fitting.sort(key=lambda one: (one.verb != action, -_count_tools(one.noun, profiles)))
        if fitting:
            noun = fitting[0].noun
            examples.append(pattern.format(one=noun, many=plural(noun)))
    return [*told[:MOST_STORIES], *examples[:MOST_EXAMPLES]]


def _suits(profile: Profile) -> bool:
    if profile.action in ("create", "update"):
        return profile.naming is not None
    return profile.action != "list" or not any(one.required for one in profile.fields)


def _count_tools(noun: str, profiles: Sequence[Profile]) -> int:
    return sum(noun in one.objects for one in profiles)


def answer_read(
    clause: Clause, ready: Ready, call: Call, seen: Seen, names: Mapping[str, str]
) -> str:
    """What a tool that reads has shown."""
    profile = ready.profile
    if seen.is_error:
        return explain_error(seen, profile)
    rows = list_rows(seen.value)
    if rows is None:
        return _answer_single(seen.value, names)
    narrowed, tail = _describe_filter(profile, call, names), ""
    end = find_end(clause, call, rows, names)
    if end:
        rows = [row for row in rows if row.get(end.key) == end.id]
        narrowed = f" with “{write_label(end.key)}” {escape(names[end.id])}"
    if ready.keep:
        kept = ready.keep.select(rows)
        name = escape(ready.keep.name)
        narrowed += f" for {name}" if kept is not None else ""
        tail = f"\n\nI could not narrow this by “{name}”." if kept is None else ""
        rows = rows if kept is None else kept
    shown = _Shown(profile.noun, rows, seen.value, narrowed)
    return f"{_answer_rows(clause, call, shown, names)}{tail}"


@dataclass(frozen=True, slots=True)
class _Shown:
    noun: str
    rows: Sequence[Row]
    value: Any
    narrowed: str


def _answer_rows(clause: Clause, call: Call, shown: _Shown, names: Mapping[str, str]) -> str:
    noun, rows, narrowed = shown.noun, shown.rows, shown.narrowed
    if not rows:
        return f"There are no {plural(noun)}{narrowed}."
    total, more = _count(rows, shown.value)
    count = f"{'at least ' if more else ''}{count_of(total, noun)}"
    verb = "is" if total == 1 and not more else "are"
    sentence = f"There {verb} {count}{narrowed}"
    if clause.action == "count":
        return f"{sentence}."
    if call.arguments.get("limit") == len(rows):
        return f"Here {verb} {count_of(total, noun)}{narrowed}:\n\n{write_rows(rows, names)}"
    hidden = total - min(len(rows), MOST_ROWS)
    tail = f"\n\n{_tell_hidden(hidden, more=more)}" if hidden > 0 or more else ""
    return f"{sentence}:\n\n{write_rows(rows, names)}{tail}"


def _tell_hidden(hidden: int, *, more: bool) -> str:
    shown = f"{hidden} more are" if hidden > 1 else "One more is" if hidden else "There may be more"
    end = " not shown" if hidden > 0 else ""
    rest = ", and there may be others" if more and hidden > 0 else ""
    return f"{shown}{end}{rest}. Ask for a name to narrow it."


def _count(rows: Sequence[Row], value: Any) -> tuple[int, bool]:
    """How many there are, as far as it is known, and whether there may be more."""
    page = cast(Mapping[str, Any], value) if isinstance(value, Mapping) else NOTHING
    last: Any = cast(list[Any], value)[-1] if isinstance(value, list) and is_cut(value) else ""
    note = _NARROWED.search(str(page.get("_truncated", last)))
    if note and int(note[1]) + len(rows) == int(note[2]):
        return int(note[2]), bool(page.get("nextCursor"))
    return len(rows), is_cut(value)


def _describe_filter(profile: Profile, call: Call, names: Mapping[str, str]) -> str:
    """What the list was narrowed by, so that nobody takes it for the whole."""
    parts: list[str] = []
    for one in profile.fields:
        value = call.arguments.get(one.name)
        if value in (None, "", []) or one.is_paging:
            continue
        if one.name in (*SEARCHING, "name", "title"):
            parts.append(f"matching “{escape(str(value))}”")
        elif one.is_id:
            parts.append(f"with {one.noun} {write_value(value, names)}")
        else:
            parts.append(f"with {write_label(one.name).casefold()} {write_value(value, names)}")
    return f" {join_names(parts)}" if parts else ""


def _answer_single(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, Mapping):
        row = cast(Row, value)
        title = escape(name_of(row))
        head = f"Here is {title}:\n\n" if title else ""
        return f"{head}{write_fields(row, names) or 'There is nothing to show.'}"
    text = write_value(value, names)
    return text or "There is nothing to show."


def answer_found(said: str, found: Sequence[tuple[Profile, Seen]], names: Mapping[str, str]) -> str:
    """What a search in several lists has shown."""
    parts: list[str] = []
    for profile, seen in found:
        rows = list_rows(seen.value) or []
        if rows and not seen.is_error:
            count = count_of(len(rows), profile.noun)
            parts.append(f"I found {count} matching “{escape(said)}”:\n\n{write_rows(rows, names)}")
    if parts:
        return "\n\n".join(parts)
    nouns = [plural(profile.noun) for profile, _ in found]
    return f"I looked through {join_names(nouns)} and found nothing matching “{escape(said)}”."


def answer_change(profile: Profile, call: Call, seen: Seen) -> str:
    """What became of a change: only what the result says."""
    if seen.is_error:
        return explain_error(seen, profile)
    summary = read_summary(seen) or describe_call(profile, call)
    return {
        "awaiting_operator": f"I prepared this: {summary}. Please confirm it on the card.",
        "applied": f"Done: {summary}.",
        "failed": f"This failed, and nothing was changed: {summary}.",
        "outcome_unknown": f"I cannot tell whether this happened: {summary}. Please check.",
    }.get(seen.status, f"I called “{profile.label}”. {_answer_single(seen.value, {})}")


def summarize_cards(summaries: Sequence[str]) -> str:
    listed = "\n".join(f"- {one}" for one in summaries)
    return f"I prepared {len(summaries)} changes:\n\n{listed}\n\nPlease confirm each on its card."


def read_summary(seen: Seen) -> str:
    summary = seen.fields.get("summary")
    return escape(summary).rstrip(".") if isinstance(summary, str) else ""


def describe_call(profile: Profile, call: Call) -> str:
    naming = profile.naming
    name = call.arguments.get(naming.name) if naming else None
    return f"{profile.label}{f' “{escape(str(name))}”' if name else ''}"


def explain_error(seen: Seen, profile: Profile | None = None) -> str:
    """Why a call did not work, in the server's words."""
    what = f"“{profile.label}”" if profile else "That"
    return f"{what[0].upper()}{what[1:]} did not work: {read_error(seen)}"


def read_error(seen: Seen) -> str:
    fields = seen.fields
    error: Any = fields.get("error", fields)
    if isinstance(error, Mapping):
        given = cast(Mapping[str, Any], error)
        issues = list_issues(seen)
        if issues:
            return " ".join(_write_issue(path, message) for path, message in issues)
        error = given.get("message") or given.get("detail") or given.get("code") or ""
    text = escape(str(error or (seen.value if isinstance(seen.value, str) else "")))
    return f"{text.rstrip('.')}." if text else "the tool gave no reason."


def _write_issue(path: str, message: str) -> str:
    where = f"{write_label(path).casefold()}: " if path else ""
    return f"{where}{escape(message).rstrip('.')}."


def react(decision: Decision, summary: str) -> str:
    """One sentence about what a person decided."""
    what = escape(decision.summary).rstrip(".") or summary or "the change"
    reason = f" {escape(decision.reason).rstrip('.')}." if decision.reason else ""
    return {
        "applied": f"Done: {what}.",
        "declined": f"All right, I left it: {what} was declined and nothing was changed.",
        "failed": f"This could not be applied, and nothing was changed: {what}.{reason}",
        "replaced": f"Something has changed since, so there is a newer card: {what}. Please look "
        "at that one.",
        "expired": f"The card is no longer valid: {what}. Ask again if you still want it.",
        "unknown": f"It is not known whether this happened: {what}. Please check first.",
    }[decision.outcome]
