"""Applications and keys. A key is shown once, works within its owner's rules and can be revoked."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from uuid import UUID

from assent.db.database import Db
from assent.errors import Conflict, NotFound
from assent.identity.access import check_may_give
from assent.identity.application import Application, NewKey
from assent.identity.principal import Principal
from assent.identity.roles import check_rules_known
from assent.identity.store import applications as store
from assent.identity.tokens import KEY_PREFIX, hash_token, new_token
from assent.ids import new_id

HINT_LENGTH = len(KEY_PREFIX) + 6
LIVE_KEYS = 20


async def load_application(db: Db, by: Principal, application_id: UUID) -> Application:
    """One's own; an admin gets anybody's."""
    application = await store.find_application(db, by.tenant_id, application_id)
    if application is None or not (by.is_admin or application.owner.id == by.id):
        raise NotFound("There is no such application.")
    return application


async def add_application(
    db: Db, by: Principal, *, name: str, rules: Sequence[str], known: Iterable[str]
) -> Application:
    check_rules_known(rules, known)
    check_may_give(by, rules, None)
    application_id = new_id()
    await store.insert_application(
        db,
        by.tenant_id,
        application_id=application_id,
        owner_id=by.id,
        name=name,
        rules=sorted(set(rules)),
    )
    return await load_application(db, by, application_id)


async def remove_application(db: Db, by: Principal, application_id: UUID) -> None:
    await load_application(db, by, application_id)
    await store.delete_application(db, by.tenant_id, application_id)


async def add_key(
    db: Db, by: Principal, application_id: UUID, *, lifetime: timedelta | None
) -> NewKey:
    application = await load_application(db, by, application_id)
    if sum(key.revoked_at is None for key in application.keys) >= LIVE_KEYS:
        raise Conflict(f"An application has at most {LIVE_KEYS} keys. Revoke one first.")
    key, key_id = new_token(KEY_PREFIX), new_id()
    hint = key[:HINT_LENGTH] + "…"
    expires_at = await store.insert_key(
        db,
        by.tenant_id,
        application_id,
        key_id=key_id,
        key_hash=hash_token(key),
        hint=hint,
        lifetime=lifetime,
    )
    return NewKey(id=key_id, key=key, hint=hint, expires_at=expires_at)


async def revoke_key(db: Db, by: Principal, application_id: UUID, key_id: UUID) -> None:
    await load_application(db, by, application_id)
    if not await store.revoke_key(db, by.tenant_id, application_id, key_id):
        raise NotFound("There is no such key.")
