"""All that is declared here, for whoever loads plugins."""

from assent.context.declaration import plugin
from assent.context.docs import playbooks
from assent.context.docs import tools as docs
from assent.context.documents import procedures as documents
from assent.context.documents import tools as document_tools

__all__ = ["docs", "document_tools", "documents", "playbooks", "plugin"]
