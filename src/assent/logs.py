"""Structured logs: text on a terminal, JSON lines elsewhere, and no secrets in either.

A line carries the ids of what it belongs to (a request, a run, work, a trace), whoever writes it.
"""

import json
import logging
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TypeAlias

from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

from assent.settings import Settings

Hide: TypeAlias = Callable[[Any], Any]
"""Takes secrets out of a text, or of a value with texts in it."""
_ids: ContextVar[Mapping[str, str]] = ContextVar("ids", default=MappingProxyType({}))
PLAIN = frozenset({str, int, float, bool, type(None)})
_ENCODER = json.JSONEncoder(ensure_ascii=False)
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


@contextmanager
def bind_ids(**ids: object) -> Generator[None]:
    """Lines of the body, and of the tasks that it starts, carry these ids."""
    token = _ids.set({**_ids.get(), **{name: str(one) for name, one in ids.items()}})
    try:
        yield
    finally:
        _ids.reset(token)


def find_id(name: str) -> str | None:
    return _ids.get().get(name)


def configure_logging(settings: Settings, hide: Hide) -> None:
    """`hide` is done to everything that is written."""
    as_json = settings.log_format == "json" or (
        settings.log_format == "auto" and not sys.stderr.isatty()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(hide) if as_json else TextFormatter(hide))
    # Nobody reads from which line, thread or process a message came: finding out takes longer than
    # to write it.
    logging._srcfile = None  # pyright: ignore
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for noisy in ("asyncio", "httpx2", "httpcore2", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(max(root.level, logging.WARNING))


def hide_in_logs(hide: Hide) -> None:
    """From now on hide this too: what is secret is only known when the vault is open."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, JsonFormatter | TextFormatter):
            handler.formatter.hide = hide


class JsonFormatter(logging.Formatter):
    def __init__(self, hide: Hide) -> None:
        super().__init__()
        self.hide = hide

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        shown = {key: one if type(one) in PLAIN else _write(one) for key, one in entry.items()}
        return _ENCODER.encode(self.hide(shown))


class TextFormatter(logging.Formatter):
    def __init__(self, hide: Hide) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")
        self.hide = hide

    def format(self, record: logging.LogRecord) -> str:
        extras = " ".join(f"{key}={value}" for key, value in _extras(record).items())
        return self.hide(super().format(record) + (f"  {extras}" if extras else ""))


def _write(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    own = {key: value for key, value in record.__dict__.items() if key not in STANDARD}
    return {**_ids.get(), **_find_trace(), **own}


def _find_trace() -> dict[str, str]:
    context = get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {
        "trace_id": format_trace_id(context.trace_id),
        "span_id": format_span_id(context.span_id),
    }
