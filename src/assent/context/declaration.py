"""The rules of what people tell the assistant for later; the assistant's plugin declares them."""

from uuid import UUID

from assent.plugins.assistant import plugin

__all__ = [
    "BUSINESS",
    "CORRECTION",
    "DOCUMENT",
    "MEMORY",
    "SHARE",
    "SHARED_EVERYWHERE",
    "SKILL",
    "plugin",
]

MEMORY, SKILL, DOCUMENT = "ai.memory", "ai.skill", "ai.document"
CORRECTION, BUSINESS = "ai.correction", "ai.context"
SHARE = "ai.sharing.manage"
"""To put something into everybody's prompt: shared memories that always apply, shared skills."""
SHARED_EVERYWHERE = UUID(int=0)
"""In the place of an id, where something belongs to the tenant as a whole."""
