"""`assent doctor`: looks at an installation and says in plain words what it finds."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from assent.actions.approvals.store import count_stuck
from assent.actions.store import count_unknown
from assent.api.pages import FOLDER
from assent.audit.store import count_late
from assent.db.database import Database, check_version
from assent.db.migrate import list_pending
from assent.errors import AssentError
from assent.identity.store.tenants import count_tenants
from assent.identity.store.users import anybody_signed_in
from assent.main import list_components, load_all_plugins, open_own_database
from assent.plugins.load import Loaded
from assent.sandbox.sandbox import open_sandbox
from assent.settings import Settings, list_unknown
from assent.vault.master_key import open_key_source
from assent.vault.scrub.load import load_rules
from assent.vault.secrets import check_master_key
from assent.vault.vault import Vault
from assent.work.link import hears
from assent.work.store import count_work

LATE = timedelta(minutes=1)

Verdict: TypeAlias = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    verdict: Verdict
    what: str


async def examine(
    settings: Settings, environ: Mapping[str, str], *, embedded: bool
) -> AsyncGenerator[Finding]:
    """Look at one thing after the other; stop where the next cannot be looked at."""
    for name in list_unknown(environ):
        yield Finding("problem", f"{name} is set, but there is no such setting.")
    if not (FOLDER / "index.html").is_file():
        yield Finding("problem", "The pages are not built; run `make setup`.")
    try:
        loaded = load_all_plugins(settings)
        names = ", ".join(plugin.name for plugin in loaded.plugins)
        yield Finding("ok", f"Plugins: {names}.")
        yield await _examine_sandbox(settings)
        for rule in load_rules(settings).unusable:
            yield Finding("problem", f"The secret rule {rule.id} is not used: {rule.why}.")
        vault = Vault(open_key_source(settings))
        yield Finding("ok", f"Master key {vault.keys.ring().current.id}{_key_place(vault)}.")
        database = await open_own_database(settings, pool_size=2)
    except AssentError as error:
        yield Finding("problem", error.message)
        return
    try:
        async for finding in _examine_database(database, loaded, vault, embedded=embedded):
            yield finding
    finally:
        await database.close()


async def _examine_database(
    database: Database, loaded: Loaded, vault: Vault, *, embedded: bool
) -> AsyncGenerator[Finding]:
    kind = "embedded" if embedded else "given by DATABASE_URL"
    kind += ", through a transaction pooler" if database.is_pooled else ""
    yield Finding("ok", f"Postgres {await check_version(database)}, {kind}, answers.")
    yield await _examine_wakeups(database)
    pending = await list_pending(database, list_components(loaded))
    if pending:
        names = ", ".join(str(step) for step in pending)
        yield Finding("problem", f"Migrations are missing; run `assent migrate`: {names}.")
        return
    yield Finding("ok", "All migrations are applied.")
    try:
        await check_master_key(database, vault)
        yield Finding("ok", "The master key fits this database.")
    except AssentError as error:
        yield Finding("problem", error.message)
    async with database.transaction(read_only=True) as db:
        tenants, signed_in = await count_tenants(db), await anybody_signed_in(db)
        counts = await count_work(db)
        late, unknown = await count_late(db, LATE), await count_unknown(db)
        stuck = await count_stuck(db)
    if not tenants:
        yield Finding("note", "Nobody is here yet; `assent serve` makes the first admin.")
    elif not signed_in:
        yield Finding("note", "Nobody has signed in yet; `assent serve` prints the link.")
    failed = counts.get("failed", 0)
    yield Finding(
        "note" if failed else "ok",
        f"Background work: {counts.get('queued', 0)} waiting, {counts.get('running', 0)} running, "
        f"{failed} given up.",
    )
    if late:
        yield Finding(
            "note", f"Audit log: {late} entries wait to be sealed; a server or a worker does that."
        )
    if stuck:
        yield Finding(
            "note",
            f"Approval rules: {stuck} name fewer people than they need, so that nobody can "
            "decide what falls under them; an admin can change them under Assistant, Approvals.",
        )
    if unknown:
        yield Finding("note", f"Proposals: of {unknown} changes outside the outcome is unknown.")


async def _examine_sandbox(settings: Settings) -> Finding:
    """Tried as a server does when it starts."""
    async with open_sandbox(settings.sandbox) as sandbox:
        if sandbox.is_downgraded:
            return Finding("note", "Scripts: kept apart, without a filter of system calls.")
        if sandbox.is_available:
            return Finding("ok", "Scripts: kept apart from this machine; no attempt got through.")
        return Finding("note", f"Scripts cannot run here: {sandbox.why_not}")


async def _examine_wakeups(database: Database) -> Finding:
    if await hears(database):
        return Finding("ok", "Wake-ups: direct.")
    if database.listen_url is None:
        what = "ASSENT_LISTEN_URL, an address past the pooler, would make them direct"
        return Finding("note", f"Wake-ups: polling, every second; {what}.")
    return Finding(
        "problem",
        "Wake-ups: polling, every second, because no notification arrives at "
        + ("this database." if database.listen_url == database.url else "ASSENT_LISTEN_URL."),
    )


def _key_place(vault: Vault) -> str:
    path = vault.keys.path
    if path is None:
        return " from the environment"
    mode = path.stat().st_mode & 0o077
    return f" in {path}" + (", which others can read: chmod 600 it" if mode else "")
