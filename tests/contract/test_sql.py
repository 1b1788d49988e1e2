"""SQL lives in stores, is valid, and never leaves the tenant unless it is listed here why."""

import inspect
import re
import typing
from collections.abc import Callable
from types import ModuleType
from typing import Any

import asyncpg
import pytest

from assent.db import migrate
from assent.db.database import Database
from assent.identity import first_start
from tests.contract.source import read_modules
from tests.contract.statements import (
    Statement,
    list_functions,
    list_statements,
    list_stores,
    list_strings,
    list_used,
)

LIST_TABLES = """
SELECT CASE table_schema WHEN 'public' THEN '' ELSE table_schema || '.' END || table_name AS name,
       bool_or(column_name = 'tenant_id') AS has_tenant,
       bool_or(column_name = 'tenant_id' AND is_nullable = 'YES') AS nullable
FROM information_schema.columns
WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
GROUP BY table_schema, table_name
"""

TABLES_OF_NO_TENANT = {
    "oauth_documents": "what programs say of themselves, before anybody has connected them",
    "oauth_registrations": "programs that have registered, before anybody has connected them",
    "schema_migrations": "about the database itself",
    "sign_in_attempts": "counts before anybody is known",
    "tenants": "the tenants themselves",
    "ticks": "due times of the whole installation; the work they lead to names the tenant",
    "vault_keys": "master keys are the installation's",
}
TABLES_SHARED_WITH_THE_INSTALLATION = {"outbox", "work"}
"""A row without tenant belongs to the installation."""

ACROSS_TENANTS = {
    "actions.approvals.store.COUNT_STUCK": "asks about the installation",
    "actions.store.COUNT_UNKNOWN": "asks about the installation",
    "actions.store.COUNT_WAITING": "a measurement of the installation",
    "audit.store.COUNT_LATE": "asks about the installation",
    "audit.store.MEASURE_UNSEALED": "a measurement of the installation",
    "audit.store.LIST_UNSEALED_TENANTS": "the sealer serves all; each batch names its tenant",
    "identity.oauth.store.connections.FIND_ACCESS": "a token's hash finds its tenant",
    "identity.oauth.store.connections.PURGE": "removes what is over, whoever's it was",
    "identity.oauth.store.families.FIND_CODE": "a code's hash finds its tenant",
    "identity.oauth.store.families.FIND_TOKEN": "a token's hash finds its tenant",
    "identity.oauth.store.families.PURGE_CODES": "removes what has expired, whoever's it was",
    "identity.oauth.store.families.PURGE_TOKENS": "removes what has expired, whoever's it was",
    "identity.oauth.store.programs.PURGE_REGISTRATIONS": "asks whether anybody has connected it",
    "identity.store.principals.FIND_KEY": "a key's hash finds its tenant",
    "identity.store.sessions.FIND_SESSION": "a session's hash finds its tenant",
    "identity.store.sessions.TAKE_LINK": "a link's hash finds its tenant",
    "identity.store.sessions.PURGE_LINKS": "removes what has expired, whoever's it was",
    "identity.store.sessions.PURGE_SESSIONS": "removes what has expired, whoever's it was",
    "identity.store.users.ANYBODY_SIGNED_IN": "asks about the installation",
    "identity.store.users.FIND_BY_EMAIL": "an e-mail address finds its tenant",
    "identity.store.users.FIND_EXTERNAL": "a provider's subject finds its tenant",
    "identity.store.users.FIND_FIRST_ADMIN": "the installation's first admin, of whichever tenant",
    "runs.store.TAKE_LOST": "any process ends what was lost; each row names its tenant",
    "vault.store.COUNT_STALE": "a rotation re-seals everybody's secrets",
    "vault.store.LIST_KEYS_IN_USE": "master keys are the installation's",
    "vault.store.TAKE_STALE": "a rotation re-seals everybody's secrets; each row names its tenant",
    "work.store.CANCEL": "the engine serves all tenants; the lease names the row",
    "work.store.CLAIM": "the engine serves all tenants",
    "work.store.COUNT_WORK": "a measurement of the installation",
    "work.store.DELETE_EVENTS": "removes what is over, whoever's it was",
    "work.store.DELETE_FINISHED": "removes what is over, whoever's it was",
    "work.store.FENCE": "the engine serves all tenants; the lease names the row",
    "work.store.FINISH": "the engine serves all tenants; the lease names the row",
    "work.store.MEASURE_OUTBOX": "a measurement of the installation",
    "work.store.MEASURE_WORK": "a measurement of the installation",
    "work.store.RELEASE": "the engine serves all tenants",
    "work.store.RENEW": "the engine serves all tenants; the lease names the row",
    "work.store.RETRY": "the engine serves all tenants; the lease names the row",
    "work.store.SWEEP": "the engine serves all tenants",
    "work.store.TAKE_EVENTS": "the engine serves all tenants",
}
"""Statements about tenants' rows that name no tenant, and why."""

OUTSIDE_STORES = {
    "assent.api.health": "asks whether the database answers",
    "assent.bench.database": "makes databases to measure in, and drops them",
    "assent.db.database": "asks for the server's version, and begins transactions",
    "assent.db.migrate": "the table of migrations, which no store can own",
    "assent.db.postmaster": "makes the database of the embedded server",
    "assent.identity.first_start": "the lock under which an empty database is filled",
    "assent.testing.databases": "makes databases for tests",
}
LOOKS_LIKE_SQL = re.compile(
    r"\s*(SELECT .|INSERT INTO |UPDATE \S+ (AS \w+ )?SET |DELETE FROM |WITH \w+ AS|SHOW \w"
    r"|(CREATE|ALTER|DROP|TRUNCATE) (TABLE|INDEX|UNIQUE|DATABASE|SCHEMA|ROLE)|LOCK TABLE"
    r"|SET (LOCAL|SESSION) |NOTIFY |LISTEN )",
    re.DOTALL,
)
LASTS = re.compile(
    r"(?:^|;)\s*(?:SET (?!LOCAL |CONSTRAINTS |TRANSACTION )|LISTEN |PREPARE |CREATE TEMP)"
    r"|pg_(?:try_)?advisory_lock|set_config\([^;]*,\s*false\s*\)|WITH HOLD"
)
"""What would stay with a connection that is given back: nothing resets it."""


@pytest.fixture
async def tables(database: Database) -> dict[str, bool]:
    """Every table that the migrations make, with whether it has a tenant."""
    async with database.connection() as connection:
        rows = await connection.fetch(LIST_TABLES)
    return {row["name"]: row["has_tenant"] for row in rows}


async def test_every_table_has_a_tenant(tables: dict[str, bool]) -> None:
    assert {name for name, has_tenant in tables.items() if not has_tenant} == set(
        TABLES_OF_NO_TENANT
    )


async def test_no_row_is_without_its_tenant(database: Database) -> None:
    async with database.connection() as connection:
        rows = await connection.fetch(LIST_TABLES)
    assert {row["name"] for row in rows if row["nullable"]} == TABLES_SHARED_WITH_THE_INSTALLATION


async def test_statements_bind_the_tenant(tables: dict[str, bool]) -> None:
    owned = [name for name, has_tenant in tables.items() if has_tenant]
    free = {
        statement.name
        for statement in list_statements()
        if any(statement.touches(table) for table in owned) and not statement.binds_tenant
    }
    assert free == set(ACROSS_TENANTS)


TENANT_OF_A_CREDENTIAL = {
    "assent.actions.admission.store.admit_key": "a key's hash finds whose call is counted",
    "assent.actions.admission.store.admit_token": "a token's hash finds whose call is counted",
}


@pytest.mark.parametrize("store", list_stores(), ids=lambda store: store.__name__)
def test_functions_take_the_tenant(store: ModuleType) -> None:
    without = [
        function.__name__
        for function in list_functions(store)
        if f"{store.__name__}.{function.__name__}" not in TENANT_OF_A_CREDENTIAL
        and any(statement.binds_tenant for statement in list_used(function, store))
        and not any(names_tenant(*parameter) for parameter in read_parameters(function))
    ]
    assert without == []


def read_parameters(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    hints = typing.get_type_hints(function)
    return [(name, hints[name]) for name in inspect.signature(function).parameters]


def find_bases(kind: Any) -> tuple[Any, ...]:
    return getattr(kind, "__mro__", (kind,))


def names_tenant(name: str, hint: Any) -> bool:
    """Whether this is the tenant's id, or a value (or several) that carries it."""
    if name == "tenant_id":
        return True
    kinds = [hint, *typing.get_args(hint)]
    return any(
        any("tenant_id" in getattr(one, "__annotations__", {}) for one in find_bases(kind))
        or isinstance(getattr(kind, "tenant_id", None), property)
        for kind in kinds
    )


def test_statements_leave_nothing_with_the_connection() -> None:
    """But for the pool's own, which turns connections, and sorts them by what Postgres says."""
    lasting = {
        f"{module.name}: {text}"
        for module in read_modules().values()
        for _, text in list_strings(module)
        if LASTS.search(text)
    }
    assert lasting == {"assent.db.pool: SET "}


@pytest.mark.parametrize(
    ("sql", "lasts"),
    [
        ("SET lock_timeout = '3s'", True),
        ("SET LOCAL a = b; SET SESSION c = d", True),
        ("SELECT pg_advisory_lock($1)", True),
        ("SELECT set_config('a', $1, false)", True),
        ("DECLARE c CURSOR WITH HOLD FOR SELECT 1", True),
        ("SET LOCAL a = b; SET CONSTRAINTS ALL IMMEDIATE", False),
        ("SELECT pg_try_advisory_xact_lock($1)", False),
        ("SELECT set_config('a', (SELECT false)::text, true)", False),
        ("UPDATE a\nSET b = c", False),
    ],
)
def test_what_lasts(sql: str, lasts: bool) -> None:
    assert bool(LASTS.search(sql)) == lasts


def test_every_store_has_statements() -> None:
    assert len(list_stores()) >= 10
    assert len(list_statements()) >= 100


def test_sql_lives_in_stores() -> None:
    elsewhere = {
        f"{module.name}:{line}"
        for module in read_modules().values()
        if module.path.stem != "store" and module.path.parent.name != "store"
        if module.name not in OUTSIDE_STORES
        for line, text in list_strings(module)
        if LOOKS_LIKE_SQL.match(text)
    }
    assert elsewhere == set()


@pytest.mark.parametrize("name", OUTSIDE_STORES)
def test_the_exceptions_still_hold_sql(name: str) -> None:
    assert any(LOOKS_LIKE_SQL.match(text) for _, text in list_strings(read_modules()[name]))


async def test_the_database_accepts_every_statement(database: Database) -> None:
    extra = [
        Statement("assent.db.migrate", "LOCK", migrate.LOCK),
        Statement("assent.db.migrate", "LIST_APPLIED", migrate.LIST_APPLIED),
        Statement("assent.db.migrate", "RECORD", migrate.RECORD),
        Statement("assent.db.migrate", "TABLE_EXISTS", migrate.TABLE_EXISTS),
        Statement("assent.identity.first_start", "LOCK", first_start.LOCK),
    ]
    refused: dict[str, str] = {}
    connection = await asyncpg.connect(database.url)
    try:
        for statement in (*list_statements(), *extra):
            try:
                await connection.prepare(statement.sql)
            except asyncpg.PostgresError as error:
                refused[statement.name] = str(error)
    finally:
        await connection.close()
    assert refused == {}
