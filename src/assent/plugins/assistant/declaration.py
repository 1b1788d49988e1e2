"""The part of Assent that declares the tools of the assistant itself."""

from assent.plugins.plugin import Plugin

plugin = Plugin(
    "assistant",
    title="Assistant",
    namespaces=["ai"],
    rules=[
        f"ai.{resource}.{action}"
        for resource in ("agent", "integration", "approval")
        for action in ("read", "manage")
    ],
)
plugin.mount = "/api/admin"
