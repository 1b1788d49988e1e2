"""What the catalog lets other plugins use; they name it in `requires`."""

from assent.bundled.catalog.issue import Severity, SystemIssue
from assent.bundled.catalog.issues import POINT as SYSTEM_ISSUES
from assent.bundled.catalog.issues import IssueSource
from assent.bundled.catalog.systems import READ, get_system, list_systems, name_systems
from assent.bundled.catalog.values import System, SystemQuery, SystemRef

__all__ = [
    "READ",
    "SYSTEM_ISSUES",
    "IssueSource",
    "Severity",
    "System",
    "SystemIssue",
    "SystemQuery",
    "SystemRef",
    "get_system",
    "list_systems",
    "name_systems",
]
