"""Phrases and slots of playbooks."""

from datetime import datetime
from typing import Any

import pytest

from assent.models.demo.playbook import Line, Playbook, Slot, Use
from assent.models.demo.recognize import LONGEST_REQUEST, parse_slot, recognize

STEP = (Use(tool="garden.water"),)
SAYS = (Line(text="Done."),)
CHECK = Playbook(
    name="garden.check",
    phrases=(
        "(create|add|set up|make) … check … {url} …",
        "watch {url} (every|each) …",
        "(create|add) … check …",
    ),
    slots={
        "url": Slot(kind="url", asks="Where?"),
        "interval": Slot(kind="interval", default="60s"),
        "name": Slot(kind="name", default="${url|host}"),
        "system": Slot(kind="word", after=("for", "of the system")),
    },
    steps=STEP,
    says=SAYS,
    ignores="probes",
)
SCRIPT = Playbook(
    name="garden.script",
    phrases=("(create|add) … script … check …",),
    slots={"url": Slot(kind="url")},
    steps=STEP,
    says=SAYS,
)
NOTE = Playbook(
    name="garden.note",
    phrases=("remember [that] {text}", "what is wrong [right now|at the moment]"),
    slots={"text": Slot()},
    steps=STEP,
    says=SAYS,
)
ALL = (CHECK, SCRIPT, NOTE)


@pytest.mark.parametrize(
    ("text", "name", "values", "unused"),
    [
        (
            "create a check that probes http://a.example/x every 30 seconds",
            "garden.check",
            {"url": "http://a.example/x", "interval": 30},
            "",
        ),
        (
            'Please set up a check for checkout called "The shop", at https://a.example:8443/b?c=d.',
            "garden.check",
            {"url": "https://a.example:8443/b?c=d", "name": "The shop", "system": "checkout"},
            "",
        ),
        ("add a check", "garden.check", {}, ""),
        (
            "watch http://a.example every minute",
            "garden.check",
            {"url": "http://a.example", "interval": 60},
            "",
        ),
        (
            "add a check for https://a.example",
            "garden.check",
            {"url": "https://a.example"},
            "",
        ),
        (
            "create a script check that is purple and probes http://a.example",
            "garden.script",
            {"url": "http://a.example"},
            "purple probes",
        ),
        (
            "remember that we deploy on Fridays.",
            "garden.note",
            {"text": "we deploy on Fridays"},
            "",
        ),
        ("remember: red means stop", "garden.note", {"text": "red means stop"}, ""),
        ("What's wrong right now?", "garden.note", {}, ""),
        ("could you tell me … what is wrong", "", {}, ""),
        ("what is wrong with you", "", {}, ""),
        ("recreate a check", "", {}, ""),
        ("", "", {}, ""),
    ],
)
def test_finds_the_playbook_and_what_it_takes(
    text: str, name: str, values: dict[str, Any], unused: str
) -> None:
    found = recognize(text, ALL)
    assert (found.playbook.name if found else "") == name
    if found:
        assert (found.values, found.unused) == (values, unused)


def test_times_are_read_in_the_zone_of_now() -> None:
    slots = {"start": Slot(kind="start", asks="When?"), "end": Slot(kind="end")}
    playbook = Playbook(name="garden.rest", phrases=("rest …",), slots=slots, steps=STEP, says=SAYS)
    now = datetime.fromisoformat("2026-11-15T13:00:00+01:00")
    found = recognize("rest tomorrow 22:00 to 23:00 for moss", [playbook], now)
    assert found is not None
    assert found.values == {
        "start": "2026-11-16T22:00:00+01:00",
        "end": "2026-11-16T23:00:00+01:00",
    }
    assert found.unused == "moss"
    assert parse_slot(slots["end"], "tomorrow at 8pm", now) == "2026-11-16T20:00:00+01:00"
    assert parse_slot(slots["end"], "later", now) is None


def test_what_was_pasted_in_is_not_searched() -> None:
    assert recognize("create a check " + "a " * LONGEST_REQUEST, ALL) is None
    assert recognize("create a check " + "check a " * 200, ALL) is None


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        (Slot(kind="interval"), "every minute", 60),
        (Slot(kind="interval"), "every other hour", 7_200),
        (Slot(kind="interval"), "five minutes", 300),
        (Slot(kind="interval"), "90s", 90),
        (Slot(kind="interval"), "once a day", 86_400),
        (Slot(kind="interval"), "often", None),
        (Slot(kind="url"), "it is at http://a.example/x, I think", "http://a.example/x"),
        (Slot(kind="url"), "a.example", None),
        (Slot(kind="word"), "“checkout”", "checkout"),
        (Slot(), "  all of it. ", "all of it"),
    ],
)
def test_reads_answers(slot: Slot, text: str, value: Any) -> None:
    assert parse_slot(slot, text) == value
