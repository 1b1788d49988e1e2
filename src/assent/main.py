"""The composition root: the only file that wires the parts together."""

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import available_timezones

from fastapi import FastAPI

from assent.actions.approvals.procedures import plugin as approvals
from assent.actions.asking.read import Reading
from assent.actions.asking.tools import plugin as asking
from assent.actions.budget import Budget
from assent.actions.evidence.keep import find_evidence
from assent.actions.means import Means
from assent.agents import tools as agent_tools
from assent.api.app import build_app
from assent.api.leaving import Leaving
from assent.api.monitor import Monitor
from assent.api.pages import list_stylesheets
from assent.api.parts import Parts
from assent.audit.seal import sealing
from assent.audit.signing import Signing
from assent.background import build_plugin_worker, build_run_worker, build_worker
from assent.context import declared as context
from assent.conversations.pdf import PdfReading
from assent.db.database import Database, open_database
from assent.db.migrate import Component, migrate
from assent.errors import ConfigurationError
from assent.identity.first_start import refresh_built_in_roles, start_first
from assent.identity.oauth.request import Terms
from assent.identity.oidc import OidcClient
from assent.identity.sessions import SessionLimits
from assent.logs import hide_in_logs
from assent.mcp_server.extension import Extension
from assent.mcp_server.parts import McpParts
from assent.mcp_server.routes import SHARED_PATHS, build_routes
from assent.models.demo.model import DemoModel
from assent.models.http import Session, open_session
from assent.models.open import Models, find_provider
from assent.monitoring import monitoring
from assent.net.policy import Policy, parse_opening
from assent.net.web import Web
from assent.plugins import administration
from assent.plugins.load import Loaded, discover_plugins, load_plugins
from assent.plugins.outside import Outside
from assent.plugins.plugin import DemoWorkspace
from assent.plugins.run import Procedures
from assent.runs.audience import Audience
from assent.runs.copies import Copies
from assent.runs.headless import tools as headless_tools
from assent.runs.journal import Journal
from assent.runs.studio import Studio
from assent.runs.sweep import settling
from assent.sandbox.sandbox import opening_sandbox
from assent.sandbox.scripts import FindSandbox, Scripts, have_none
from assent.settings import Settings
from assent.telemetry.endpoints import find_endpoints
from assent.telemetry.telemetry import Telemetry
from assent.vault.master_key import open_key_source
from assent.vault.scrubbing import open_scrubbing
from assent.vault.secrets import check_master_key
from assent.vault.vault import Vault
from assent.work.hearing import Hearing
from assent.work.listen import Listener

PACKAGE = Path(__file__).parent
OWN_COMPONENTS = (
    "work",
    "vault",
    "audit",
    "identity",
    "net",
    "models",
    "conversations",
    "actions",
    "agents",
    "context",
    "runs",
)

log = logging.getLogger("assent")


def now() -> datetime:
    return datetime.now(UTC)


def load_all_plugins(settings: Settings) -> Loaded:
    """The assistant's plugin is declared in several places; all of them are imported here."""
    assistant = {agent_tools.plugin, approvals, asking, context.plugin, headless_tools.plugin}
    core = [administration.plugin, *assistant]
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
    database: Database,
    *,
    settings: Settings,
    loaded: Loaded,
    vault: Vault,
    sandbox: FindSandbox = have_none,
) -> Procedures:
    return Procedures(
        database,
        vault,
        loaded=loaded,
        public_url=find_public_url(settings),
        clock=now,
        outside=Outside(
            Web(policy=build_policy(settings)),
            Scripts(sandbox),
            find_evidence,
            Reading(loaded=loaded, vault=vault, public_url=find_public_url(settings)),
        ),
        scrubbing=open_scrubbing(settings, vault),
    )


def build_policy(settings: Settings) -> Policy:
    """What tools may reach: the public internet, and what the operator opens of the inside."""
    try:
        return Policy(inside=tuple(parse_opening(one) for one in settings.inside_hosts))
    except ValueError as error:
        raise ConfigurationError(f"inside_hosts (ASSENT_INSIDE_HOSTS): {error}.") from None


def build_telemetry(settings: Settings) -> Telemetry:
    """With exporters where a collector is named; the packages for that are an extra."""
    endpoints = find_endpoints(settings.otel_endpoint, os.environ)
    if not endpoints:
        return Telemetry()
    try:
        from assent.telemetry.export import open_exporters  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise ConfigurationError(
            "Exporting traces needs more packages: pip install 'assent[otel]'."
        ) from error
    return open_exporters(endpoints)


def build_means(
    database: Database,
    *,
    settings: Settings,
    loaded: Loaded,
    vault: Vault,
    telemetry: Telemetry | None = None,
    sandbox: FindSandbox = have_none,
    hearing: Hearing | None = None,
) -> Means:
    procedures = build_procedures(
        database, settings=settings, loaded=loaded, vault=vault, sandbox=sandbox
    )
    return Means(
        database=database,
        vault=vault,
        procedures=procedures,
        loaded=loaded,
        budget=Budget(settings.tool_calls),
        scrubbing=procedures.scrubbing,
        telemetry=telemetry or Telemetry(),
        hearing=hearing or Hearing(),
    )


@asynccontextmanager
async def open_parts(
    database: Database, *, settings: Settings, loaded: Loaded, vault: Vault, telemetry: Telemetry
) -> AsyncGenerator[Parts]:
    """Everything that an edge is made of, with what has to be open for it."""
    async with AsyncExitStack() as stack:
        listener = Listener(database)
        sandbox = await stack.enter_async_context(opening_sandbox(settings.sandbox))
        means = build_means(
            database,
            settings=settings,
            loaded=loaded,
            vault=vault,
            telemetry=telemetry,
            sandbox=sandbox,
            hearing=Hearing(listener),
        )
        hide_in_logs(lambda value: means.scrubbing.known.scrub(value))
        session = await stack.enter_async_context(open_session())
        studio = await stack.enter_async_context(open_studio(means, settings, session, listener))
        yield Parts(
            settings=settings,
            database=database,
            procedures=means.procedures,
            loaded=loaded,
            limits=SessionLimits.from_settings(settings),
            oidc=_build_oidc(database, settings, vault),
            monitor=Monitor(telemetry, studio),
            means=means,
            studio=studio,
            pdfs=PdfReading(),
        )


@asynccontextmanager
async def open_studio(
    means: Means, settings: Settings, session: Session, listener: Listener
) -> AsyncGenerator[Studio]:
    copies = Copies(means.database, listener)
    idle = SessionLimits.from_settings(settings).idle
    studio = Studio(
        means=means,
        journal=Journal(means.database, copies.drop, means.telemetry),
        copies=copies,
        audience=Audience(means, listener, idle=idle),
        models=Models(
            means.database,
            means.vault,
            session,
            demo=DemoModel(settings.demo_pace, means.loaded.playbooks),
            telemetry=means.telemetry,
            found=await find_provider(settings, session),
        ),
        now=now,
        server_zone=settings.time_zone,
        zones=frozenset(available_timezones()),
    )
    async with (
        studio.journal.running(),
        studio.audience.running(),
        listener.running(),
    ):
        yield studio


def create_app(
    settings: Settings, *, loaded: Loaded | None = None, mcp_extension: Extension | None = None
) -> FastAPI:
    """The application of one process; it opens its database when it starts.

    Whoever is about to end it calls `app.state.leave` first: what runs is then handed over, and
    whoever follows something turns to another process. `mcp_extension` is for tests.
    """
    plugins, telemetry = loaded or load_all_plugins(settings), build_telemetry(settings)
    leaving = asyncio.Event()

    def leave() -> None:
        leaving.set()
        parts: Parts | None = getattr(app.state, "parts", None)
        if parts is not None:
            parts.studio.audience.close()
            parts.studio.copies.close()
            parts.means.hearing.close()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with running(settings, plugins, telemetry, leaving) as parts:
            app.state.parts = parts
            public_url = find_public_url(settings)
            app.state.mcp = McpParts(
                settings=settings,
                means=parts.means,
                public_url=public_url,
                terms=Terms(issuer=public_url, known=plugins.rules, offered=plugins.program_rules),
                stylesheets=list_stylesheets(),
            )
            yield

    app = build_app(
        plugins,
        settings=settings,
        telemetry=telemetry,
        lifespan=lifespan,
        other_edge=build_routes(mcp_extension),
        shared_paths=SHARED_PATHS,
    )
    app.add_middleware(Leaving, leaving=leaving)
    app.state.leaving = leaving
    app.state.leave = leave
    return app


@asynccontextmanager
async def running(
    settings: Settings, loaded: Loaded, telemetry: Telemetry, leaving: asyncio.Event
) -> AsyncGenerator[Parts]:
    """All that a process has open while it serves, and its background work."""
    vault = Vault(open_key_source(settings))
    database = await open_own_database(settings)
    try:
        async with (
            open_parts(
                database, settings=settings, loaded=loaded, vault=vault, telemetry=telemetry
            ) as parts,
            monitoring(parts, leaving),
        ):
            if settings.background_work:
                async with working(parts, leaving):
                    yield parts
            else:
                yield parts
    finally:
        await database.close()
        await asyncio.to_thread(telemetry.close)


@asynccontextmanager
async def working(parts: Parts, stop: asyncio.Event) -> AsyncGenerator[None]:
    """Do background work, drive runs and seal the audit log until the body ends.

    From `stop` on nothing more is taken, and what is under way is handed over.
    """
    grace = parts.settings.shutdown_seconds
    builders = [build_worker, build_run_worker]
    if any(plugin.works for plugin in parts.loaded.plugins):
        builders.append(build_plugin_worker)
    workers = [build(parts.studio, parts.settings) for build in builders]
    async with (
        sealing(parts.database, Signing(open_key_source(parts.settings).ring)),
        settling(parts.studio),
    ):
        tasks = [asyncio.create_task(worker.run(stop, grace=grace)) for worker in workers]
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(*tasks)


async def open_own_database(settings: Settings, *, pool_size: int | None = None) -> Database:
    listen_url = settings.listen_url
    return await open_database(
        find_database_url(settings),
        pool_size=pool_size or settings.pool_size,
        pooler=settings.pooler,
        listen_url=listen_url.get_secret_value() if listen_url else None,
    )


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
