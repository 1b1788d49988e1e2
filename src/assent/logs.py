"""Structured logs: text on a terminal, JSON lines elsewhere, and no secrets in either.

A line carries the ids of what it belongs to (a request, a run, work, a trace), whoever writes it.
"""

import json
import logging
import re
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

from assent.settings import Settings

SECRETS = re.compile(
    r"ask_[A-Za-z0-9_-]{8,}"
    r"|(?<=token=)[^&\s\"']+|(?<=reset=)[^&\s\"']+"
    r"|(?<=://)[^/@\s]+@"
    r"|(?i:(?<=bearer ))[A-Za-z0-9._~+/=-]+"
)
HIDDEN = "[hidden]"
_encode = json.JSONEncoder(default=str, ensure_ascii=False).encode
_ids: ContextVar[Mapping[str, str]] = ContextVar("ids", default=MappingProxyType({}))
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


def hide_secrets(text: str) -> str:
    return SECRETS.sub(HIDDEN, text)


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


def configure_logging(settings: Settings) -> None:
    as_json = settings.log_format == "json" or (
        settings.log_format == "auto" and not sys.stderr.isatty()
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else TextFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level.upper())
    for noisy in ("asyncio", "httpx2", "httpcore2", "uvicorn.access"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(max(root.level, logging.WARNING))


class JsonFormatter(logging.Formatter):
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
        return hide_secrets(_encode(entry))


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        extras = " ".join(f"{key}={value}" for key, value in _extras(record).items())
        return hide_secrets(super().format(record) + (f"  {extras}" if extras else ""))


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
