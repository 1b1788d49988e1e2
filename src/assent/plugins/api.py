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
    MissingRule,
    NotFound,
    PluginError,
    SandboxUnavailable,
    Unreachable,
)
from assent.identity.principal import Principal, Scope
from assent.ids import new_id
from assent.models.demo.playbook import Fill, Line, Pick, Playbook, Slot, Spot, Use
from assent.net.exchange import Request, Response
from assent.net.handshake import Certificate, Connected
from assent.net.policy import Limits
from assent.net.record import Resolved
from assent.net.url import build_target, find_origin, is_origin, parse_origin, parse_url
from assent.net.web import Web
from assent.plugins.extension import Contribution
from assent.plugins.guide import Guide
from assent.plugins.plugin import DemoWorkspace, Event, Plugin, Tick
from assent.plugins.procedure import Context, Procedure
from assent.plugins.work import Work
from assent.sandbox.script import Finished, Script
from assent.sandbox.scripts import Scripts
from assent.sandbox.sdk import Sdk, read_sdk
from assent.tools.dates import Moment
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
from assent.tools.schema import parse_value
from assent.tools.secret_field import Secret
from assent.tools.tool import (
    Ask,
    Basis,
    Evidence,
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
    Nothing,
    Page,
    PageQuery,
    Slug,
    Text,
    Value,
    build_page,
    page_by_name,
    parse_cursor,
    parse_cursor_id,
    parse_cursor_time,
    position_by_name,
)
from assent.vault.scrub.values import replace_secrets

__all__ = [
    "Ask",
    "AssentError",
    "Basis",
    "BrokeOff",
    "Certificate",
    "Changed",
    "Conflict",
    "Connected",
    "Context",
    "Contribution",
    "Db",
    "DemoWorkspace",
    "DestinationRefused",
    "DocumentSource",
    "Event",
    "Evidence",
    "FieldChange",
    "Fill",
    "Finished",
    "Forbidden",
    "Guide",
    "Invalid",
    "Inverse",
    "Issue",
    "Limits",
    "Line",
    "MissingRule",
    "Moment",
    "Name",
    "Named",
    "NotFound",
    "Nothing",
    "Page",
    "PageQuery",
    "Part",
    "Pick",
    "Plan",
    "PlanStep",
    "Playbook",
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
    "Resolved",
    "Response",
    "Result",
    "Row",
    "SandboxUnavailable",
    "Scope",
    "Script",
    "Scripts",
    "Sdk",
    "Secret",
    "SelectWorkspace",
    "SetPhase",
    "Slot",
    "Slug",
    "Spot",
    "Text",
    "Tick",
    "ToolValidationError",
    "Unreachable",
    "Use",
    "Value",
    "Web",
    "WebSource",
    "Work",
    "build_page",
    "build_target",
    "find_changes",
    "find_origin",
    "is_origin",
    "new_id",
    "page_by_name",
    "parse_cursor",
    "parse_cursor_id",
    "parse_cursor_time",
    "parse_origin",
    "parse_url",
    "parse_value",
    "position_by_name",
    "read_sdk",
    "replace_secrets",
]
