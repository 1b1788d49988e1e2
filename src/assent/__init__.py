"""Assent: people chat, agents prepare changes, a person assents."""

__version__ = "0.1.0"
