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
    SandboxUnavailable,
    Unreachable,
)
from assent.identity.principal import Principal, Scope
from assent.ids import new_id
from assent.net.exchange import Request, Response
from assent.net.policy import Limits
from assent.net.web import Web
from assent.plugins.extension import Contribution
from assent.plugins.guide import Guide
from assent.plugins.plugin import DemoWorkspace, Event, Plugin, Tick
from assent.plugins.procedure import Context, Procedure
from assent.plugins.work import Work
from assent.sandbox.script import Finished, Script
from assent.sandbox.scripts import Scripts
from assent.tools.diff import FieldChange, find_changes
from assent.tools.part import (
    DocumentSource,
    Part,
    Plan,
    PlanStep,
    Progress,
    QuickReplies,
    WebSource,
)
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
    "Contribution",
    "Db",
    "DemoWorkspace",
    "DestinationRefused",
    "DocumentSource",
    "Event",
    "FieldChange",
    "Finished",
    "Forbidden",
    "Guide",
    "Invalid",
    "Inverse",
    "Issue",
    "Limits",
    "Name",
    "Named",
    "NotFound",
    "Page",
    "PageQuery",
    "Part",
    "Plan",
    "PlanStep",
    "Plugin",
    "PluginError",
    "Preview",
    "Principal",
    "Procedure",
    "Progress",
    "Question",
    "QuickReplies",
    "Reconciled",
    "Request",
    "Response",
    "Result",
    "Row",
    "SandboxUnavailable",
    "Scope",
    "Script",
    "Scripts",
    "Secret",
    "SelectWorkspace",
    "SetPhase",
    "Slug",
    "Text",
    "Tick",
    "ToolValidationError",
    "Unreachable",
    "Value",
    "Web",
    "WebSource",
    "Work",
    "build_page",
    "find_changes",
    "new_id",
    "page_by_name",
    "parse_cursor",
    "parse_cursor_id",
    "position_by_name",
]
