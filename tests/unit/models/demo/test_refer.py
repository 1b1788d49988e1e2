"""References in texts and arguments of playbooks."""

from typing import Any

import pytest

from assent.models.demo.refer import build_argument, holds, list_references, write_text

KNOWN = {
    "url": "http://127.0.0.1:8080/status?x=1",
    "seconds": 90,
    "docs": {"hits": [{"slug": "checks", "title": "Health *checks*"}], "score": 0.5},
    "quiet": False,
}


@pytest.mark.parametrize(
    ("given", "built"),
    [
        ("${seconds}", 90),
        ("${docs.score}", 0.5),
        ("${docs.hits.0.slug}", "checks"),
        ("${docs.hits.1.slug}", None),
        ("${none.id,docs.score}", 0.5),
        ("every ${seconds} s", "every 90 s"),
        ("${url|host}", "127.0.0.1:8080"),
        ("${url|place}", "127.0.0.1:8080/status"),
        ("${url|origin}", "http://127.0.0.1:8080"),
        ("url = ${url|json}", 'url = "http://127.0.0.1:8080/status?x=1"'),
        ("get ${url|shell}", "get 'http://127.0.0.1:8080/status?x=1'"),
        ("${seconds|duration}", "90 seconds"),
        ("print({1: 2})", "print({1: 2})"),
        (
            {"a": ["${seconds}", "${none}"], "b": "${none}", "c": {"d": 1}},
            {"a": [90], "c": {"d": 1}},
        ),
    ],
)
def test_arguments(given: Any, built: Any) -> None:
    assert build_argument(given, KNOWN) == built


def test_texts_hold_data_and_no_marks_of_it() -> None:
    said = write_text("See “${docs.hits.0.title}”, ${none}every ${seconds|duration}.", KNOWN)
    assert said == "See “Health \\*checks\\*”, every 90 seconds."
    assert write_text("${text|long}", {"text": "x " * 100}) == ("x " * 100).strip()
    assert write_text("${text}", {"text": "x " * 100}).endswith("…")
    assert write_text("${at|moment}", {"at": "2026-11-16T07:30:15Z"}) == "2026-11-16 07:30 UTC"


def test_what_holds_something() -> None:
    assert holds("${seconds}", KNOWN)
    assert not any(holds(one, KNOWN) for one in ("${none}", "${quiet}", "seconds"))


def test_lists_references_at_any_depth() -> None:
    found = list(list_references({"a": ["${x.y|host}"], "b": "${z} and ${w}"}))
    assert found == [("x.y", "host"), ("z", ""), ("w", "")]
