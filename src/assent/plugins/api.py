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
from assent.tools.diff import FieldChange, find_changes
from assent.tools.secret_field import Secret
from assent.tools.tool import (
    Ask,
    Basis,
    Inverse,
    Preview,
    Question,
    Reconciled,
    Result,
    SelectWorkspace,
    SetPhase,
    ToolValidationError,
)
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
    "Ask",
    "AssentError",
    "Basis",
    "Changed",
    "Conflict",
    "Context",
    "Db",
    "DemoWorkspace",
    "Event",
    "FieldChange",
    "Forbidden",
    "Invalid",
    "Inverse",
    "Issue",
    "Name",
    "Named",
    "NotFound",
    "Page",
    "PageQuery",
    "Plugin",
    "PluginError",
    "Preview",
    "Principal",
    "Procedure",
    "Question",
    "Reconciled",
    "Result",
    "Row",
    "Scope",
    "Secret",
    "SelectWorkspace",
    "SetPhase",
    "Slug",
    "Text",
    "Tick",
    "ToolValidationError",
    "Value",
    "build_page",
    "find_changes",
    "new_id",
    "page_by_name",
    "parse_cursor",
    "parse_cursor_id",
    "position_by_name",
]
