"""What the catalog lets other plugins use; they name it in `requires`."""

from assent.bundled.catalog.systems import get_system, list_systems
from assent.bundled.catalog.values import System, SystemQuery, SystemRef

__all__ = [
    "System",
    "SystemQuery",
    "SystemRef",
    "get_system",
    "list_systems",
]
