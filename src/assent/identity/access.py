"""What a principal may do to which resource, grants included."""

from collections.abc import Iterable
from uuid import UUID

from assent.db.database import Db
from assent.errors import Forbidden, MissingRule
from assent.identity.principal import Level, Principal, Scope, find_scope
from assent.identity.rules import holds, resource_kind
from assent.identity.store import teams as store
from assent.identity.user import Subject

LEVELS: dict[str, tuple[Level, ...]] = {
    "read": ("read", "manage", "own"),
    "manage": ("manage", "own"),
}


async def load_scope(db: Db, principal: Principal, rule: str) -> Scope:
    """Where the rule holds for the principal, by roles and by grants."""
    if not principal.may_be_granted(rule) or holds(principal.rules, rule):
        return find_scope(principal, rule, frozenset())
    granted = await store.list_granted(
        db,
        principal.tenant_id,
        kind=resource_kind(rule),
        levels=LEVELS[rule.rpartition(".")[2]],
        user_id=principal.id,
        team_ids=list(principal.team_ids),
    )
    return find_scope(principal, rule, granted)


async def load_granted_rules(
    db: Db, principal: Principal, wanted: Iterable[str] | None = None
) -> frozenset[str]:
    """The rules that grants give to a person for at least one resource.

    Where roles give all the `wanted` ones everywhere, grants add nothing and are not looked at.
    """
    covered = wanted is not None and all(holds(principal.rules, rule) for rule in wanted)
    if principal.kind != "user" or covered:
        return frozenset()
    given = await store.list_given(db, principal.tenant_id, Subject(kind="user", id=principal.id))
    rules = {
        f"{kind}.{level}"
        for kind, action, _ in given
        for level in (("read", "manage") if action == "manage" else ("read",))
    }
    return frozenset(rule for rule in rules if principal.may_be_granted(rule))


async def check_owner(db: Db, principal: Principal, kind: str, resource_id: UUID) -> None:
    """Raise when the resource has owners and the principal is not among them, nor an admin."""
    if principal.is_admin:
        return
    if await store.owned_by_others(
        db,
        principal.tenant_id,
        resource=(kind, resource_id),
        user_id=principal.id,
        team_ids=list(principal.team_ids),
    ):
        raise Forbidden("This has owners; only they, or those whom they let, may change it.")


async def check_holds_grants(db: Db, principal: Principal, subject: Subject) -> None:
    """Raise when a person, with their teams, or a team was granted what the principal lacks."""
    if principal.is_admin:
        return
    for kind, action, resource_ids in await store.list_given(db, principal.tenant_id, subject):
        scope = await load_scope(db, principal, f"{kind}.{action}")
        if not scope.everywhere and not scope.resource_ids.issuperset(resource_ids):
            raise MissingRule(scope.rule)
        if action == "manage":
            for resource_id in resource_ids:
                await check_owner(db, principal, kind, resource_id)


def check_may_give(principal: Principal, rules: Iterable[str], workspace_id: UUID | None) -> None:
    """Nobody hands out, or takes charge of, rights that they do not hold themselves."""
    own = principal.rules
    if workspace_id is not None:
        own |= principal.workspace_rules.get(workspace_id, frozenset())
    for rule in rules:
        if not holds(own, rule):
            raise MissingRule(rule)
