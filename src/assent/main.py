"""The composition root: the only file that wires the parts together."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import available_timezones

from fastapi import FastAPI

from assent.actions.budget import Budget
from assent.actions.means import Means
from assent.agents import procedures as agent_procedures
from assent.api.app import build_app
from assent.api.metrics import Metrics
from assent.api.parts import Parts
from assent.audit.seal import sealing
from assent.audit.signing import Signing
from assent.background import build_run_worker, build_worker
from assent.db.database import Database, open_database
from assent.db.migrate import Component, migrate
from assent.identity.first_start import refresh_built_in_roles, start_first
from assent.identity.oidc import OidcClient
from assent.identity.sessions import SessionLimits
from assent.models.demo.model import DemoModel
from assent.models.http import Session, open_session
from assent.models.open import Models, find_provider
from assent.plugins import administration
from assent.plugins.load import Loaded, discover_plugins, load_plugins
from assent.plugins.plugin import DemoWorkspace
from assent.plugins.run import Procedures
from assent.runs.follow import Wakeups
from assent.runs.journal import Journal
from assent.runs.studio import Studio
from assent.settings import Settings
from assent.vault.master_key import open_key_source
from assent.vault.secrets import check_master_key
from assent.vault.vault import Vault

PACKAGE = Path(__file__).parent
OWN_COMPONENTS = (
    "work",
    "vault",
    "audit",
    "identity",
    "models",
    "conversations",
    "actions",
    "agents",
    "runs",
)

log = logging.getLogger("assent")


def now() -> datetime:
    return datetime.now(UTC)


def load_all_plugins(settings: Settings) -> Loaded:
    """The assistant's plugin is declared in several places; all of them are imported here."""
    core = [administration.plugin, agent_procedures.plugin]
    others = discover_plugins(settings.disabled_plugins)
    return load_plugins(core, others, settings.plugin)


def list_components(loaded: Loaded) -> list[Component]:
    own = [Component(name, PACKAGE / name / "migrations") for name in OWN_COMPONENTS]
    return [*own, *loaded.components]


async def prepare(
    database: Database, *, settings: Settings, loaded: Loaded, vault: Vault, demo: bool
) -> None:
    """Bring the database up to date and, when it is empty, fill it. Safe to run at any time."""
    for step in await migrate(database, list_components(loaded)):
        log.info("Migrated %s", step)
    await check_master_key(database, vault)
    procedures = build_procedures(database, settings=settings, loaded=loaded, vault=vault)
    workspace = ("demo", "Demo") if demo else ("main", "Main")
    async with database.transaction() as db:
        first = await start_first(db, known_rules=loaded.rules, workspace=workspace)
        if first and demo:
            await procedures.fill_demo(
                db, first.admin, DemoWorkspace(workspace_id=first.workspace_id)
            )
    await refresh_built_in_roles(database, loaded.rules)


def build_procedures(
    database: Database, *, settings: Settings, loaded: Loaded, vault: Vault
) -> Procedures:
    return Procedures(
        database, vault, loaded=loaded, public_url=find_public_url(settings), clock=now
    )


def build_means(database: Database, *, settings: Settings, loaded: Loaded, vault: Vault) -> Means:
    return Means(
        database=database,
        vault=vault,
        procedures=build_procedures(database, settings=settings, loaded=loaded, vault=vault),
        loaded=loaded,
        budget=Budget(settings.tool_calls),
    )


@asynccontextmanager
async def open_parts(
    database: Database, *, settings: Settings, loaded: Loaded, vault: Vault, metrics: Metrics
) -> AsyncGenerator[Parts]:
    """Everything that an edge is made of, with what has to be open for it."""
    means = build_means(database, settings=settings, loaded=loaded, vault=vault)
    async with open_session() as session, open_studio(means, settings, session) as studio:
        yield Parts(
            settings=settings,
            database=database,
            procedures=means.procedures,
            loaded=loaded,
            limits=SessionLimits.from_settings(settings),
            oidc=_build_oidc(database, settings, vault),
            metrics=metrics,
            means=means,
            studio=studio,
        )


@asynccontextmanager
async def open_studio(means: Means, settings: Settings, session: Session) -> AsyncGenerator[Studio]:
    wakeups = Wakeups(means.database.url)
    studio = Studio(
        means=means,
        journal=Journal(means.database, wakeups.wake),
        wakeups=wakeups,
        models=Models(
            means.database,
            means.vault,
            session,
            demo=DemoModel(pace=settings.demo_pace),
            found=await find_provider(settings, session),
        ),
        now=now,
        server_zone=settings.time_zone,
        zones=frozenset(available_timezones()),
    )
    async with studio.journal.running(), studio.wakeups.running():
        yield studio


def create_app(settings: Settings, *, loaded: Loaded | None = None) -> FastAPI:
    """The application of one process; it opens its database when it starts."""
    plugins, metrics = loaded or load_all_plugins(settings), Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        vault = Vault(open_key_source(settings))
        database = await open_database(find_database_url(settings), pool_size=settings.pool_size)
        try:
            async with open_parts(
                database, settings=settings, loaded=plugins, vault=vault, metrics=metrics
            ) as parts:
                app.state.parts = parts
                if settings.background_work:
                    async with working(parts):
                        yield
                else:
                    yield
        finally:
            await database.close()

    return build_app(plugins, settings=settings, metrics=metrics, lifespan=lifespan)


@asynccontextmanager
async def working(parts: Parts) -> AsyncGenerator[None]:
    """Do background work, drive runs and seal the audit log until the body ends."""
    stop = asyncio.Event()
    workers = [
        build_worker(parts.studio, parts.settings),
        build_run_worker(parts.studio, parts.settings),
    ]
    async with sealing(parts.database, Signing(open_key_source(parts.settings).ring)):
        tasks = [asyncio.create_task(worker.run(stop)) for worker in workers]
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*tasks)


def find_database_url(settings: Settings) -> str:
    assert settings.database_url is not None  # noqa: S101 - `serve.py` has set it by now
    return settings.database_url.get_secret_value()


def find_public_url(settings: Settings) -> str:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::", "") else settings.host  # noqa: S104
    host = f"[{host}]" if ":" in host else host
    return settings.public_url or f"http://{host}:{settings.port}"


def _build_oidc(database: Database, settings: Settings, vault: Vault) -> OidcClient | None:
    if settings.oidc_issuer is None:
        return None
    from assent.identity.oidc_provider import OidcProvider  # noqa: PLC0415 - half a second

    callback = f"{find_public_url(settings)}/api/auth/oidc/callback"
    provider = OidcProvider(settings, redirect_url=callback)
    return OidcClient(provider, database=database, vault=vault, settings=settings, clock=now)
