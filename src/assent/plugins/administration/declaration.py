"""The part of Assent that is declared like a plugin: mounted at `/api` and always there."""

from assent.plugins.document import POINT, check_document
from assent.plugins.plugin import Plugin

plugin = Plugin(
    "identity",
    title="People and access",
    namespaces=["identity", "audit"],
    rules=[
        *(
            f"identity.{resource}.{action}"
            for resource in ("user", "role", "team", "workspace", "application", "program")
            for action in ("read", "manage")
        ),
        "audit.entry.read",
    ],
)
plugin.mount = "/api"
plugin.extension(POINT, check=check_document)
