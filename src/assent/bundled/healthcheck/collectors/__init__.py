"""The collectors that come along; other plugins contribute theirs in the same way."""

from assent.bundled.healthcheck.collectors import header, json_value, text

__all__ = ["header", "json_value", "text"]
