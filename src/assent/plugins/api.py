"""Everything that a plugin may import."""

from assent.db.database import Db, Row
from assent.errors import (
    AssentError,
    Changed,
    Conflict,
    Forbidden,
    Invalid,
    Issue,
    NotFound,
    PluginError,
)
from assent.identity.principal import Principal, Scope
from assent.ids import new_id
from assent.plugins.plugin import DemoWorkspace, Event, Plugin, Tick
from assent.plugins.procedure import Context, Procedure
from assent.value import (
    Name,
    Named,
    Page,
    PageQuery,
    Slug,
    Text,
    Value,
    build_page,
    page_by_name,
    parse_cursor,
    parse_cursor_id,
    position_by_name,
)

__all__ = [
    "AssentError",
    "Changed",
    "Conflict",
    "Context",
    "Db",
    "DemoWorkspace",
    "Event",
    "Forbidden",
    "Invalid",
    "Issue",
    "Name",
    "Named",
    "NotFound",
    "Page",
    "PageQuery",
    "Plugin",
    "PluginError",
    "Principal",
    "Procedure",
    "Row",
    "Scope",
    "Slug",
    "Text",
    "Tick",
    "Value",
    "build_page",
    "new_id",
    "page_by_name",
    "parse_cursor",
    "parse_cursor_id",
    "position_by_name",
]
