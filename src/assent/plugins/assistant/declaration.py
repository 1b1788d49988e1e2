"""The part of Assent that declares the tools of the assistant itself."""

from assent.plugins.plugin import Plugin

plugin = Plugin(
    "assistant",
    title="Assistant",
    namespaces=["ai"],
    rules=["ai.integration.read", "ai.integration.manage"],
)
plugin.mount = "/api/admin"
