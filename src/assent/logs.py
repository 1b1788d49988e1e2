"""Structured logs: text on a terminal, JSON lines elsewhere, and no secrets in either."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

from assent.settings import Settings

SECRETS = re.compile(
    r"ask_[A-Za-z0-9_-]{8,}"
    r"|(?<=token=)[^&\s\"']+|(?<=reset=)[^&\s\"']+"
    r"|(?<=://)[^/@\s]+@"
    r"|(?i:(?<=bearer ))[A-Za-z0-9._~+/=-]+"
)
HIDDEN = "[hidden]"
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


def hide_secrets(text: str) -> str:
    return SECRETS.sub(HIDDEN, text)


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
        return hide_secrets(json.dumps(entry, default=str, ensure_ascii=False))


class TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        extras = " ".join(f"{key}={value}" for key, value in _extras(record).items())
        return hide_secrets(super().format(record) + (f"  {extras}" if extras else ""))


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {key: value for key, value in record.__dict__.items() if key not in STANDARD}
