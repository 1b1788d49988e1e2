"""Logs say what happened and keep secrets to themselves."""

import asyncio
import json
import logging
import sys

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

from assent.logs import (
    JsonFormatter,
    TextFormatter,
    bind_ids,
    configure_logging,
    find_id,
    hide_in_logs,
)
from assent.settings import Settings
from assent.vault.scrubbing import build_hiding

TOKEN = "q1W2e3R4t5Z6u7I8o9P0aSdFgHjKlYxCvBnM"
HIDE = build_hiding(Settings.model_validate({"metrics_token": "umbrella-of-violets"}))


@pytest.mark.parametrize(
    "text",
    [
        "key ask_@",
        "GET /login?token=@&x=1",
        "/login?reset=@",
        '{"url": "/login?token=@"}',
        "postgresql://ann:@@db/assent",
        "Authorization: Bearer @",
        "authorization: bearer @",
        "token=@ token=@",
    ],
)
def test_secrets_are_hidden(text: str) -> None:
    hidden = HIDE(text.replace("@", TOKEN, 1).replace("=@", f"={TOKEN}"))
    assert TOKEN not in hidden
    assert "[secret: " in hidden


def test_own_secrets_are_hidden() -> None:
    assert HIDE("got umbrella-of-violets") == "got [secret: vault]"


@pytest.mark.parametrize(
    "text",
    [
        "ask_short",
        "http://127.0.0.1:8700/people",
        "ann@example.com signed in",
        "the token was taken",
    ],
)
def test_other_lines_stay(text: str) -> None:
    assert HIDE(text) == text


def make_record(message: str, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("assent.test", logging.WARNING, __file__, 1, message, (), None)
    record.__dict__.update(extra)
    return record


def test_a_line_of_json() -> None:
    line = JsonFormatter(HIDE).format(make_record(f"Got token={TOKEN}", request_id="r1"))
    entry = json.loads(line)
    assert entry.pop("time").endswith("+00:00")
    assert entry == {
        "level": "warning",
        "logger": "assent.test",
        "message": "Got token=[secret: credential]",
        "request_id": "r1",
    }


def test_a_line_of_text() -> None:
    line = TextFormatter(HIDE).format(make_record(f"Got ask_{TOKEN}", ms=3))
    assert line.endswith("WARNING Got [secret: assent-key]  ms=3")


@pytest.mark.parametrize("formatter", [JsonFormatter(HIDE), TextFormatter(HIDE)])
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
    configure_logging(
        Settings.model_validate({"log_format": log_format, "log_level": "error"}), HIDE
    )
    (handler,) = root.handlers
    assert isinstance(handler.formatter, kind)
    assert root.level == logging.ERROR


def test_more_is_hidden_once_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(TextFormatter(HIDE))
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    hide_in_logs(lambda text: text.replace("newly", "[secret]"))
    assert handler.format(make_record("newly known")).endswith("[secret] known")


def read_line(message: str = "It happened", **extra: object) -> dict[str, object]:
    entry = json.loads(JsonFormatter(HIDE).format(make_record(message, **extra)))
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
        line = TextFormatter(HIDE).format(make_record("It happened"))
    assert f"trace_id={0xA:032x}" in line
