"""Everything that a plugin may import."""

from assent.db.database import Db, Row
from assent.errors import (
    AssentError,
    BrokeOff,
    Changed,
    Conflict,
    DestinationRefused,
    Forbidden,
    Invalid,
    Issue,
    NotFound,
    PluginError,
    Unreachable,
)
from assent.identity.principal import Principal, Scope
from assent.ids import new_id
from assent.net.exchange import Request, Response
from assent.net.policy import Limits
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
    "BrokeOff",
    "Changed",
    "Conflict",
    "Context",
    "Db",
    "DemoWorkspace",
    "DestinationRefused",
    "Event",
    "FieldChange",
    "Forbidden",
    "Invalid",
    "Inverse",
    "Issue",
    "Limits",
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
    "Request",
    "Response",
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
    "Unreachable",
    "Value",
    "build_page",
    "find_changes",
    "new_id",
    "page_by_name",
    "parse_cursor",
    "parse_cursor_id",
    "position_by_name",
]
