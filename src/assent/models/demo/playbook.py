"""Playbooks: longer stories that plugins teach the demo model, as data and without code. Pure.

A playbook says which requests it answers, what it takes from them, which tools it uses one after
the other with which arguments, and what it says at the end. `recognize.py` reads requests with it,
`story.py` goes through its steps.

Texts and arguments hold references: `${url}` is what was taken from the request,
`${docs.hits.0.slug}` a part of a result that was kept as `docs`, `${url|host}` a part of it. An
argument that is nothing but a reference has the type of what it refers to, and is left out where
there is nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

SlotKind: TypeAlias = Literal["text", "word", "name", "url", "interval", "start", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Something to take from a request.

    `url`, `interval` ("every 30 seconds", in seconds), `name` ("called …"), `start` and `end` (the
    first and the second time that is named) are found wherever they stand, a `word` also behind one
    of `after`, everything else where a phrase has it. What is missing is the `default`, if
    all that it refers to is there, or is asked for with `asks`; without both it may be missing.
    """

    kind: SlotKind = "text"
    asks: str = ""
    default: str = ""
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A piece of the answer; with `each` one line for each of those rows, `${row}` in it.

    It is said where `when` holds something and none of `unless` does. Under each row stands what
    `inner` says about it.
    """

    text: str
    when: str = ""
    unless: tuple[str, ...] = ()
    each: str = ""
    inner: "Line | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A call of a tool, whose result is kept under a name.

    `optional` are those that the story can do without: where the tool is not offered or fails, it
    goes on. `when` is a reference, without which the call is not made. `expects` are values that
    the result has to have, by their path; where it has others, or is an error, the story ends with
    `otherwise`. `prepared` is said beside the card that a call led to. `title` puts the step on the
    plan that is shown.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keep: str = ""
    when: str = ""
    optional: bool = False
    expects: Mapping[str, Any] = field(default_factory=dict[str, Any])
    otherwise: str = ""
    prepared: tuple[Line, ...] = ()
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """The row that a person named, among the rows that an earlier step has shown.

    `named` is a slot. Where several rows may be meant it is asked which; where there is none the
    story ends, or goes on without it if it is `optional`.
    """

    rows: str
    named: str
    noun: str
    keep: str
    when: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """The row that the request mentions by one of its `names`, or else the one called `otherwise`.

    Of several the longest mention counts. `names` are fields of the rows.
    """

    rows: str
    names: tuple[str, ...]
    otherwise: str
    keep: str
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """An object by a schema that an earlier step has shown: all that the schema requires.

    The first field that is an address gets the `url` of the request, if that slot is there. Every
    other is asked for, `about` being what the questions are about.
    """

    schema: str
    about: str
    keep: str
    when: str = ""


Step: TypeAlias = Use | Pick | Spot | Fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Playbook:
    """One story.

    A phrase is made of words, `(one|other)` of which one is said, `[words]` that may be said, `…`
    for up to a dozen words, and `{slot}`. `ignores` are words that need not be understood. `about`
    is the kind and the name of what `it` stands for afterwards.
    """

    name: str
    phrases: tuple[str, ...]
    steps: tuple[Step, ...]
    says: tuple[Line, ...]
    slots: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    example: str = ""
    ignores: str = ""
    about: tuple[str, str] | None = None
