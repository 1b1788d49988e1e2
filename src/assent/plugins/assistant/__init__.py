"""The assistant's own tools and settings, declared like a plugin's and always there."""

from assent.plugins.assistant import artifacts, asking, destinations, integrations, phases, probing
from assent.plugins.assistant.declaration import plugin

__all__ = ["artifacts", "asking", "destinations", "integrations", "phases", "plugin", "probing"]
