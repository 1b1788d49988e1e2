"""The assistant's own tools, declared like a plugin's and always there."""

from assent.plugins.assistant import artifacts
from assent.plugins.assistant.declaration import plugin

__all__ = ["artifacts", "plugin"]
