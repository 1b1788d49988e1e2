"""The part of Assent that declares the tools of the assistant itself."""

from assent.plugins.plugin import Plugin

plugin = Plugin(
    "assistant",
    title="Assistant",
    namespaces=["ai"],
    rules=[
        *(
            f"ai.{resource}.{action}"
            for resource in (
                "agent",
                "approval",
                "context",
                "correction",
                "credit",
                "document",
                "egress",
                "integration",
                "memory",
                "skill",
                "webhook",
            )
            for action in ("read", "manage")
        ),
        "ai.sharing.manage",
        "ai.url.read",
        "ai.usage.read",
    ],
)
plugin.mount = "/api"
