"""The rules of what people tell the assistant for later; the assistant's plugin declares them."""

from assent.plugins.assistant import plugin

__all__ = ["BUSINESS", "CORRECTION", "DOCUMENT", "MEMORY", "SHARE", "SKILL", "plugin"]

MEMORY, SKILL, DOCUMENT = "ai.memory", "ai.skill", "ai.document"
CORRECTION, BUSINESS = "ai.correction", "ai.context"
SHARE = "ai.sharing.manage"
"""To put something into everybody's prompt: shared memories that always apply, shared skills."""
