"""All that is declared here, for whoever loads plugins."""

from assent.context.business import procedures as business
from assent.context.corrections import procedures as corrections
from assent.context.corrections import tools as correction_tools
from assent.context.declaration import plugin
from assent.context.docs import playbooks as docs_playbooks
from assent.context.docs import tools as docs
from assent.context.documents import procedures as documents
from assent.context.documents import tools as document_tools
from assent.context.guides import tools as guides
from assent.context.memories import playbooks as memory_playbooks
from assent.context.memories import procedures as memories
from assent.context.memories import tools as memory_tools
from assent.context.skills import procedures as skills
from assent.context.skills import tools as skill_tools

__all__ = [
    "business",
    "correction_tools",
    "corrections",
    "docs",
    "docs_playbooks",
    "document_tools",
    "documents",
    "guides",
    "memories",
    "memory_playbooks",
    "memory_tools",
    "plugin",
    "skill_tools",
    "skills",
]
