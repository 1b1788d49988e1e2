"""Procedures for approval rules, declared with the assistant's plugin."""

from collections.abc import Collection
from uuid import UUID

from pydantic import ValidationError

from assent.actions.approvals import store
from assent.actions.approvals.rule import (
    ApprovalRuleChange,
    ApprovalRuleDraft,
    StoredRule,
    apply_change,
)
from assent.errors import Changed, Conflict, Invalid, NotFound
from assent.ids import new_id
from assent.plugins.assistant import plugin
from assent.plugins.procedure import Context
from assent.value import Nothing, Page, Value
from assent.work.announce import News, announce

READ, MANAGE = "ai.approval.read", "ai.approval.manage"


class ApprovalRuleRef(Value):
    approval_rule_id: UUID


@plugin.procedure(rule=READ, effect="read", route="GET /admin/approval-rules", tenant_wide=True)
async def list_approval_rules(ctx: Context, _nothing: Nothing) -> Page[StoredRule]:
    """List the rules that say who has to assent to what, by title."""
    return Page[StoredRule](items=await store.list_rules(ctx.db, ctx.tenant_id))


@plugin.procedure(
    rule=MANAGE, effect="mutate", route="POST /admin/approval-rules", tenant_wide=True
)
async def create_approval_rule(ctx: Context, draft: ApprovalRuleDraft) -> StoredRule:
    """Add a rule; it counts for cards that wait already, too."""
    await _check_known(ctx, draft, kept=())
    rule_id = new_id()
    await store.insert_rule(ctx.db, ctx.tenant_id, draft, rule_id)
    await _tell(ctx)
    return await _load(ctx, rule_id)


@plugin.procedure(
    rule=MANAGE,
    effect="mutate",
    route="PATCH /admin/approval-rules/{approval_rule_id}",
    tenant_wide=True,
)
async def update_approval_rule(ctx: Context, change: ApprovalRuleChange) -> StoredRule:
    """Change a rule; cards that wait fall under it as it is from now on."""
    present = await _load(ctx, change.approval_rule_id)
    if change.expected_version not in (None, present.version):
        raise Changed
    try:
        changed = apply_change(present, change)
    except ValidationError as error:
        message = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
        raise Invalid.at("roleIds", message) from None
    await _check_known(ctx, changed, kept=[*present.role_ids, *present.user_ids])
    if not await store.update_rule(ctx.db, ctx.tenant_id, changed):
        raise Changed
    await _tell(ctx)
    return await _load(ctx, present.id)


@plugin.procedure(
    rule=MANAGE,
    effect="destructive",
    route="DELETE /admin/approval-rules/{approval_rule_id}",
    tenant_wide=True,
)
async def delete_approval_rule(ctx: Context, given: ApprovalRuleRef) -> None:
    """Remove a rule; cards that wait do not need it any more."""
    if not await store.delete_rule(ctx.db, ctx.tenant_id, given.approval_rule_id):
        raise NotFound
    await _tell(ctx)


async def _tell(ctx: Context) -> None:
    """Cards that wait may wait for others now."""
    await announce(ctx.db, News(ctx.tenant_id, "tenant", ctx.tenant_id))


async def _load(ctx: Context, rule_id: UUID) -> StoredRule:
    found = await store.find_rule(ctx.db, ctx.tenant_id, rule_id)
    if found is None:
        raise NotFound
    return found


async def _check_known(ctx: Context, draft: ApprovalRuleDraft, kept: Collection[UUID]) -> None:
    """Only what is there can be named; what was named before and is gone may stay."""
    names = await store.load_names(ctx.db, ctx.tenant_id, [draft])
    if not set(draft.role_ids).issubset([*names.roles, *kept]):
        raise Conflict.at("roleIds", "There is no such role.")
    if not set(draft.user_ids).issubset([*names.people, *kept]):
        raise Conflict.at("userIds", "There is no such person.")
