"""What the command's subcommands do to an installation, each change with its audit entry."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

import click
from pydantic import TypeAdapter, ValidationError

from assent.audit.check import verify_items, verify_lines
from assent.audit.entry import Actor, Effect
from assent.audit.export import read_items
from assent.audit.head import KeptHead, parse_kept_head
from assent.audit.lines import encode_line
from assent.audit.record import record
from assent.audit.report import Report
from assent.audit.signing import Signing, Trust, parse_public_keys
from assent.audit.store import find_last_head
from assent.conversations.store.conversations import find_owner, lock_conversation
from assent.db.database import Database, Db
from assent.errors import ConfigurationError, NotFound
from assent.history.explain import Remark
from assent.identity import applications, users
from assent.identity.application import ApplicationKey
from assent.identity.authenticate import load_person
from assent.identity.first_start import add_tenant
from assent.identity.principal import Principal
from assent.identity.rules import EVERYTHING
from assent.identity.store import applications as application_store
from assent.identity.store import roles as role_store
from assent.identity.store import tenants as tenant_store
from assent.identity.store import users as user_store
from assent.identity.user import Membership, Tenant
from assent.main import find_public_url, load_all_plugins, now, open_own_database, prepare
from assent.plugins.load import Loaded
from assent.plugins.run import SERVICE_ID
from assent.runs.diagnose import examine_case, load_case, repair_case
from assent.settings import Settings
from assent.tools.dates import find_date_fault
from assent.value import Email, Name, Slug
from assent.vault.master_key import new_master_key, open_key_source, write_key_file
from assent.vault.secrets import check_master_key, reseal_secrets
from assent.vault.vault import Vault

ALL = 100_000


@dataclass(frozen=True, slots=True)
class Installation:
    settings: Settings
    database: Database
    loaded: Loaded
    vault: Vault

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings, *, embedded: bool) -> "AsyncGenerator[Installation]":
        """Open the database, brought up to date first: commands work before any server ran."""
        loaded, vault = load_all_plugins(settings), Vault(open_key_source(settings))
        database = await open_own_database(settings, pool_size=2)
        try:
            await prepare(
                database,
                settings=settings,
                loaded=loaded,
                vault=vault,
                demo=embedded and settings.demo,
            )
            yield cls(settings, database, loaded, vault)
        finally:
            await database.close()


async def migrate_database(installation: Installation) -> None:
    click.echo("The database is up to date.")


async def add_person(
    installation: Installation,
    *,
    email: str,
    name: str | None,
    role: str,
    tenant: str,
    new_tenant: bool,
) -> str:
    address = _check(Email, email, "The e-mail address")
    shown = _check(Name, name or address.partition("@")[0], "The name")
    async with installation.database.transaction() as db:
        if new_tenant:
            slug = _check(Slug, tenant, "The tenant's slug")
            owner = await add_tenant(
                db, slug=slug, name=slug, known_rules=installation.loaded.rules
            )
        else:
            owner = await load_tenant(db, tenant)
        found = await role_store.find_by_slug(db, owner.id, role)
        if found is None:
            raise NotFound(f"There is no role {role} in {tenant}.")
        _, link = await users.add_user(
            db,
            operator(owner.id),
            email=address,
            name=shown,
            memberships=[Membership(role_id=found.id)],
        )
        await _record(db, owner.id, "identity.addUser", {"email": address, "role": role})
    return f"{find_public_url(installation.settings)}/login?reset={link.token}"


async def list_people(installation: Installation, tenant: str | None) -> list[str]:
    lines: list[str] = []
    async with installation.database.reading() as db:
        for one in await _list_tenants(db, tenant):
            roles = {
                role.id: role.slug
                for role in await role_store.list_roles(db, one.id, after=None, limit=ALL)
            }
            for user in await user_store.list_users(db, one.id, search="", after=None, limit=ALL):
                held = ",".join(sorted({roles[m.role_id] for m in user.memberships})) or "-"
                state = "active" if user.active else "inactive"
                lines.append(f"{one.slug}\t{user.email}\t{user.name}\t{held}\t{state}")
    return lines


async def make_reset_link(installation: Installation, email: str) -> str:
    async with installation.database.transaction() as db:
        row = await user_store.find_by_email(db, email)
        if row is None:
            raise NotFound(f"There is nobody with the address {email}.")
        link = await users.make_password_link(db, operator(row["tenant_id"]), row["id"])
        await _record(db, row["tenant_id"], "identity.makeResetLink", {"email": email})
    return f"{find_public_url(installation.settings)}/login?reset={link.token}"


async def create_key(
    installation: Installation, name: str, *, owner: str, rules: Sequence[str], days: int | None
) -> str:
    name = _check(Name, name, "The name")
    async with installation.database.transaction() as db:
        row = await user_store.find_by_email(db, owner)
        if row is None:
            raise NotFound(f"There is nobody with the address {owner}.")
        tenant_id = row["tenant_id"]
        person = await load_person(
            db, tenant_id=tenant_id, user_id=row["id"], name=row["name"], session_id=None
        )
        application = await applications.add_application(
            db, person, name=name, rules=rules, known=installation.loaded.rules
        )
        key = await applications.add_key(
            db, person, application.id, lifetime=timedelta(days=days) if days else None
        )
        await _record(db, tenant_id, "identity.addKey", {"name": name, "owner": owner})
    return key.key


async def list_keys(installation: Installation) -> list[str]:
    lines: list[str] = []
    async with installation.database.reading() as db:
        for tenant_id in await tenant_store.list_tenant_ids(db):
            for application in await application_store.list_applications(
                db, tenant_id, owner_id=None, after=None, limit=ALL
            ):
                lines += [
                    f"{key.id}\t{key.hint}\t{application.name}\t{application.owner.name}"
                    f"\t{','.join(application.rules)}\t{_key_state(key)}"
                    for key in application.keys
                ]
    return lines


async def revoke_key(installation: Installation, key_id: UUID) -> None:
    async with installation.database.transaction() as db:
        for tenant_id in await tenant_store.list_tenant_ids(db):
            application_id = await application_store.find_application_of_key(db, tenant_id, key_id)
            if application_id:
                await applications.revoke_key(db, operator(tenant_id), application_id, key_id)
                await _record(
                    db, tenant_id, "identity.revokeKey", {"keyId": str(key_id)}, "destructive"
                )
                return
    raise NotFound("There is no such key.")


async def rotate_vault(installation: Installation) -> str:
    """A key file gets a new key in front; keys from the environment were changed there."""
    vault = installation.vault
    path = vault.keys.path
    if path is not None:
        ring = vault.keys.ring()
        write_key_file(path, [new_master_key(), ring.current, *ring.previous])
    await check_master_key(installation.database, vault)
    count = await reseal_secrets(installation.database, vault)
    return f"Master key {vault.keys.ring().current.id} now seals everything; {count} sealed anew."


async def examine_conversation(
    installation: Installation, conversation_id: UUID, *, repair: bool
) -> tuple[list[Remark], int]:
    """What there is to say about it, and how much of that was put right."""
    async with installation.database.transaction() as db:
        for tenant_id in await tenant_store.list_tenant_ids(db):
            if await find_owner(db, tenant_id, conversation_id) is None:
                continue
            await lock_conversation(db, tenant_id, conversation_id)
            case = await load_case(db, installation.loaded, tenant_id, conversation_id)
            remarks = examine_case(case, installation.loaded)
            repaired = await repair_case(db, case, remarks) if repair else 0
            if repaired:
                given = {"conversationId": str(conversation_id), "repaired": repaired}
                await _record(db, tenant_id, "chat.repairConversation", given)
            return remarks, repaired
    raise NotFound("There is no such conversation.")


async def list_audit_heads(installation: Installation, tenant: str | None) -> list[str]:
    lines: list[str] = []
    keys = _signing(installation).list_public_keys()
    async with installation.database.reading() as db:
        for one in await _list_tenants(db, tenant):
            head = await find_last_head(db, one.id)
            if head is not None:
                kept = KeptHead(head.tenant_id, head.position, head.link)
                public_key = keys[head.key_id].hex() if head.key_id in keys else "-"
                lines.append(f"{one.slug}\t{kept}\t{head.signed_at}\t{public_key}")
    return lines


async def export_audit(
    installation: Installation, write: Callable[[str], object], *, tenant: str | None, since: str
) -> None:
    """Write the log line by line, all of it as it stood at one moment."""
    start = _parse_since(since) if since else None
    async with _snapshot(installation) as db:
        items = read_items(
            db,
            {one.id: one.slug for one in await _list_tenants(db, tenant)},
            keys=_signing(installation).list_public_keys(),
            since=start,
        )
        async for item in items:
            write(f"{encode_line(item)}\n")


async def verify_audit(
    installation: Installation,
    *,
    tenant: str | None,
    public_keys: Sequence[str],
    expected: Sequence[str],
) -> Report:
    """Check the log in the database with the master key."""
    keys = _signing(installation).list_public_keys()
    trust, kept = Trust(keys, parse_public_keys(public_keys)), _parse_kept(expected)
    async with _snapshot(installation) as db:
        logs = {one.id: one.slug for one in await _list_tenants(db, tenant)}
        return await verify_items(read_items(db, logs, keys=keys), trust, kept)


def verify_export(
    lines: Iterable[str], *, public_keys: Sequence[str], expected: Sequence[str]
) -> Report:
    """Check a file, with nothing but the file."""
    return verify_lines(lines, parse_public_keys(public_keys), _parse_kept(expected))


def _parse_since(text: str) -> datetime:
    fault = find_date_fault(text)
    try:
        if fault is None:
            return datetime.fromisoformat(text.upper())
    except ValueError as error:
        fault = str(error)
    raise ConfigurationError(f"--since: {fault}")


def _parse_kept(texts: Sequence[str]) -> list[KeptHead]:
    return [parse_kept_head(text) for text in texts]


def _signing(installation: Installation) -> Signing:
    return Signing(installation.vault.keys.ring)


def _snapshot(installation: Installation) -> AbstractAsyncContextManager[Db]:
    return installation.database.transaction(read_only=True, isolation="repeatable_read")


async def _list_tenants(db: Db, slug: str | None) -> list[Tenant]:
    if slug is not None:
        return [await load_tenant(db, slug)]
    return [
        await tenant_store.load_tenant(db, one) for one in await tenant_store.list_tenant_ids(db)
    ]


def _key_state(key: ApplicationKey) -> str:
    if key.revoked_at:
        return "revoked"
    return "expired" if key.expires_at and key.expires_at <= now() else "live"


def operator(tenant_id: UUID) -> Principal:
    """Whoever has the command has the machine: they may do everything."""
    return Principal(
        kind="service",
        id=SERVICE_ID,
        tenant_id=tenant_id,
        name="command line",
        rules=frozenset({EVERYTHING}),
    )


async def load_tenant(db: Db, slug: str) -> Tenant:
    tenant = await tenant_store.find_tenant(db, slug)
    if tenant is None:
        raise NotFound(f"There is no tenant {slug}. --new-tenant creates it.")
    return tenant


def _check(kind: object, value: str, what: str) -> str:
    try:
        return TypeAdapter[str](cast(Any, kind)).validate_python(value)
    except ValidationError:
        raise ConfigurationError(f"{what} {value!r} is not valid.") from None


async def _record(
    db: Db, tenant_id: UUID, action: str, arguments: object, effect: Effect = "mutate"
) -> None:
    actor = Actor("service", None, "command line")
    await record(
        db, tenant_id, actor, edge="command", action=action, effect=effect, arguments=arguments
    )
