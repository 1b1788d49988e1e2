"""The part of Assent that declares the tools of the assistant itself."""

from typing import Any

from assent.plugins.plugin import Plugin
from assent.value import Value


class AssistantSettings(Value):
    """`business_context` are facts that hold for every tenant of the installation."""

    business_context: dict[str, Any] = {}


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
    settings=AssistantSettings,
)
plugin.mount = "/api"
