"""The assistant's own tools and settings, declared like a plugin's and always there."""

from assent.plugins.assistant import (
    allowance,
    artifacts,
    asking,
    destinations,
    integration_tools,
    integrations,
    phases,
    probing,
    showing,
    webhook,
)
from assent.plugins.assistant.declaration import plugin

__all__ = [
    "allowance",
    "artifacts",
    "asking",
    "destinations",
    "integration_tools",
    "integrations",
    "phases",
    "plugin",
    "probing",
    "showing",
    "webhook",
]
