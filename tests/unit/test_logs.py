"""Logs say what happened and keep secrets to themselves."""

import asyncio
import json
import logging
import sys

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

from assent.logs import (
    HIDDEN,
    JsonFormatter,
    TextFormatter,
    bind_ids,
    configure_logging,
    find_id,
    hide_secrets,
)
from assent.settings import Settings


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("key ask_abcdefgh12345", f"key {HIDDEN}"),
        ("GET /login?token=abc-def&x=1", f"GET /login?token={HIDDEN}&x=1"),
        ("/login?reset=abc_def", f"/login?reset={HIDDEN}"),
        ('{"url": "/login?token=abc"}', f'{{"url": "/login?token={HIDDEN}"}}'),
        ("postgresql://ann:secret@db/assent", f"postgresql://{HIDDEN}db/assent"),
        ("Authorization: Bearer abc.def-ghi", f"Authorization: Bearer {HIDDEN}"),
        ("authorization: bearer abc", f"authorization: bearer {HIDDEN}"),
        ("token=one token=two", f"token={HIDDEN} token={HIDDEN}"),
        ("ask_short", "ask_short"),
        ("http://127.0.0.1:8700/people", "http://127.0.0.1:8700/people"),
        ("ann@example.com signed in", "ann@example.com signed in"),
        ("the token was taken", "the token was taken"),
    ],
)
def test_hide_secrets(text: str, hidden: str) -> None:
    assert hide_secrets(text) == hidden


def make_record(message: str, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("assent.test", logging.WARNING, __file__, 1, message, (), None)
    record.__dict__.update(extra)
    return record


def test_a_line_of_json() -> None:
    line = JsonFormatter().format(make_record("Got token=abc", request_id="r1"))
    entry = json.loads(line)
    assert entry.pop("time").endswith("+00:00")
    assert entry == {
        "level": "warning",
        "logger": "assent.test",
        "message": f"Got token={HIDDEN}",
        "request_id": "r1",
    }


def test_a_line_of_text() -> None:
    line = TextFormatter().format(make_record("Got ask_abcdefgh12345", ms=3))
    assert line.endswith(f"WARNING Got {HIDDEN}  ms=3")


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()])
def test_secrets_in_an_exception_are_hidden(formatter: logging.Formatter) -> None:
    try:
        raise ValueError("postgresql://ann:hunter2@db")
    except ValueError:
        record = make_record("Failed")
        record.exc_info = sys.exc_info()
    line = formatter.format(record)
    assert "ValueError" in line
    assert "hunter2" not in line


@pytest.mark.parametrize(
    ("log_format", "is_terminal", "kind"),
    [
        ("auto", True, TextFormatter),
        ("auto", False, JsonFormatter),
        ("text", False, TextFormatter),
        ("json", True, JsonFormatter),
    ],
)
def test_the_format_follows_the_terminal(
    monkeypatch: pytest.MonkeyPatch, log_format: str, is_terminal: bool, kind: type
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", root.handlers)
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)
    configure_logging(Settings.model_validate({"log_format": log_format, "log_level": "error"}))
    (handler,) = root.handlers
    assert isinstance(handler.formatter, kind)
    assert root.level == logging.ERROR


def read_line(message: str = "It happened", **extra: object) -> dict[str, object]:
    entry = json.loads(JsonFormatter().format(make_record(message, **extra)))
    return {name: entry[name] for name in entry if name.endswith("_id")}


def test_a_line_carries_the_ids_of_what_it_belongs_to() -> None:
    with bind_ids(work_id=7):
        with bind_ids(run_id="r"):
            assert read_line() == {"work_id": "7", "run_id": "r"}
            assert find_id("run_id") == "r"
        assert read_line() == {"work_id": "7"}
    assert read_line() == {}
    assert find_id("run_id") is None


def test_a_lines_own_id_comes_first() -> None:
    with bind_ids(run_id="around"):
        assert read_line(run_id="own") == {"run_id": "own"}


async def test_ids_go_along_with_tasks_and_stay_out_of_others() -> None:
    async def write() -> dict[str, object]:
        await asyncio.sleep(0)
        return read_line()

    before = asyncio.create_task(write())
    with bind_ids(run_id="r"):
        inside = asyncio.create_task(write())
    assert await before == {}
    assert await inside == {"run_id": "r"}


def test_a_line_carries_the_present_trace() -> None:
    context = SpanContext(0xA, 0xB, is_remote=False, trace_flags=TraceFlags(1))
    with use_span(NonRecordingSpan(context)):
        assert read_line() == {"trace_id": f"{0xA:032x}", "span_id": f"{0xB:016x}"}
        line = TextFormatter().format(make_record("It happened"))
    assert f"trace_id={0xA:032x}" in line
