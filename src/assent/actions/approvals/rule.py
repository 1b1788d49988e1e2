"""An approval rule as an admin writes it (SPEC P12): values that cross the edge. Pure."""

import re
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, Field, model_validator

from assent.tools.json_value import parse_path
from assent.tools.names import NAME_LENGTH, TOOL_NAME
from assent.value import Name, Value

EVERY_TOOL = "*"
TOOLS = re.compile(rf"^(\*|[a-z][a-z0-9]*\.\*|{TOOL_NAME})$")
MOST_NEEDED = 20
MOST_NAMED = 100
WHOM = "Name roles or people, or let anyone who may use the tool decide."
NOT_BOTH = "Either name roles or people, or let anyone decide."


def _check_tools(text: str) -> str:
    if TOOLS.fullmatch(text):
        return text
    raise ValueError("Write a tool's name, such as catalog.deleteSystem, or catalog.*, or *.")


def _check_path(text: str) -> str:
    if not parse_path(text):
        raise ValueError("Write where the value is, such as workspaceId or items.0.name.")
    return text


Pattern = Annotated[
    str,
    Field(max_length=NAME_LENGTH, json_schema_extra={"pattern": TOOLS.pattern}),
    AfterValidator(_check_tools),
]
Ids = Annotated[list[UUID], Field(max_length=MOST_NAMED)]
Note = Annotated[str, Field(max_length=2000)]
Needed = Annotated[int, Field(ge=1, le=MOST_NEEDED)]
RuleEffect = Literal["mutate", "destructive"]


class Condition(Value):
    """What one argument must be for the rule to hold: one of these values, or there at all."""

    path: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_path)]
    test: Literal["equals", "oneOf", "present"]
    values: list[Any] = Field([], max_length=100)

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        fits = {"equals": len(self.values) == 1, "oneOf": bool(self.values)}
        if not fits.get(self.test, not self.values):
            raise ValueError("equals takes one value, oneOf some, present none.")
        return self


class ApprovalRuleDraft(Value):
    """Who decides about which calls: so many of those named, or of all who may use the tool."""

    title: Name
    note: Note = ""
    tool: Pattern
    effect: RuleEffect | None = None
    condition: Condition | None = None
    needed: Needed = 1
    anyone: bool = False
    role_ids: Ids = []
    user_ids: Ids = []
    not_proposer: bool = False

    @model_validator(mode="after")
    def _check_whom(self) -> Self:
        named = bool(self.role_ids or self.user_ids)
        if named == self.anyone:
            raise ValueError(NOT_BOTH if named else WHOM)
        return self


class ApprovalRule(ApprovalRuleDraft):
    id: UUID
    version: int


class StoredRule(ApprovalRule):
    """`people`: how many may decide by it at the moment; nothing where anyone may."""

    people: int | None


class ApprovalRuleChange(Value):
    """What is left out stays; an effect or a condition that is null is taken away."""

    approval_rule_id: UUID
    expected_version: int | None = None
    title: Name | None = None
    note: Note | None = None
    tool: Pattern | None = None
    effect: RuleEffect | None = None
    condition: Condition | None = None
    needed: Needed | None = None
    anyone: bool | None = None
    role_ids: Ids | None = None
    user_ids: Ids | None = None
    not_proposer: bool | None = None


def apply_change(present: ApprovalRule, change: ApprovalRuleChange) -> ApprovalRule:
    """The rule as it would be; what makes no sense as a whole is refused like a new one."""
    said = change.model_dump(exclude={"approval_rule_id", "expected_version"}, exclude_unset=True)
    keeps_null = {"effect", "condition"}
    said = {key: value for key, value in said.items() if value is not None or key in keeps_null}
    kept = present.model_dump(include=set(ApprovalRule.model_fields))
    return ApprovalRule.model_validate({**kept, **said})


def list_patterns(tool: str) -> list[str]:
    """The patterns that speak of this tool."""
    return [tool, f"{tool.partition('.')[0]}.*", EVERY_TOOL]
