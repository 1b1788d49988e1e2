"""The strategies that come along; other plugins contribute theirs in the same way."""

from assent.bundled.healthcheck.strategies import dns, http, tcp, tls

__all__ = ["dns", "http", "tcp", "tls"]
