"""Processes that decide about proposals, serve them and do their work outside, to be killed.

Each function here is what one process does from beginning to end. `Fault` says where it kills
itself: at a function of ours, or at the nth statement that it sends to Postgres, before it is sent
or while its answer is awaited. All statements one after the other are all the places where a crash
can make a difference to the database.
"""

import asyncio
import functools
import importlib
import inspect
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import Any, Literal, TypeAlias
from uuid import UUID

import asyncpg.connection
from pydantic import SecretStr

from assent import main
from assent.actions.apply import apply
from assent.actions.call import Answer, Circumstances, Ran, ToolCall, call_tool
from assent.actions.decide import Decision, decline
from assent.actions.means import Means
from assent.actions.proposal import Place
from assent.background import build_worker
from assent.db.database import Database, open_database
from assent.errors import AssentError
from assent.identity.authenticate import load_person
from assent.identity.principal import Principal
from assent.ids import new_id
from assent.settings import Settings
from assent.telemetry.telemetry import Telemetry
from assent.testing import run_server
from assent.vault.master_key import open_key_source
from assent.vault.vault import Vault
from assent.work.execution import Execution
from tests.bank import OUTSIDE
from tests.bank.desk import MANY, load_bank

MASTER_KEY = "11" * 32
LEASE_SECONDS = 2
STATEMENTS = ("execute", "fetch", "fetchrow", "fetchval")


@dataclass(frozen=True, slots=True)
class AtFunction:
    """`path` is `module:attribute`; the process ends, or stops, before it is called or after it."""

    path: str
    when: Literal["before", "after"] = "after"
    how: signal.Signals = signal.SIGKILL


@dataclass(frozen=True, slots=True)
class AtStatement:
    nth: int
    when: Literal["before", "sent"] = "before"


Fault: TypeAlias = AtFunction | AtStatement


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a person does: decide with a token, or call a tool as a run of theirs would."""

    kind: Literal["apply", "decline", "propose", "auto"]
    tenant_id: UUID
    person_id: UUID
    proposal_id: UUID | None = None
    token: str = ""
    run_id: UUID | None = None
    account_id: UUID | None = None


def do_deed(url: str, deed: Deed, fault: Fault | None, pipe: Pipe) -> None:
    """Say how it went, or die."""
    pipe.send(asyncio.run(_do_deed(url, deed, fault)))


def work(url: str, outside: str, fault: Fault | None, pipe: Pipe) -> None:
    """Do background work until killed; `outside` is the address of the other bank.

    One that is to be frozen does not hear that it was replaced: only the fence stops it.
    """
    os.environ[OUTSIDE] = outside
    if isinstance(fault, AtFunction) and fault.how == signal.SIGSTOP:
        setattr(Execution, "stop", _go_on)  # noqa: B010 - a method of the real one, replaced
    asyncio.run(_work(url, fault, pipe))


def serve(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    """Serve HTTP until killed; the address comes first."""
    asyncio.run(_serve(url, settings, pipe))


async def _do_deed(url: str, deed: Deed, fault: Fault | None) -> str:
    database = await open_database(url, pool_size=2)
    person = await load_decider(database, deed.tenant_id, deed.person_id)
    means = build_means(database)
    if fault is not None:
        install(fault)
    try:
        return await act(means, person, deed)
    except AssentError as error:
        return error.code


async def act(means: Means, person: Principal, deed: Deed) -> str:
    """The state in which it leaves the proposal."""
    if deed.kind in ("propose", "auto"):
        return find_state(await call_tool(means, build_call(person, deed)))
    assert deed.proposal_id is not None
    decision = Decision(person, deed.proposal_id, deed.token)
    if deed.kind == "apply":
        return (await apply(means, decision)).state
    return (await decline(means, decision, "Not today.")).state


def find_state(answer: Answer) -> str:
    assert not isinstance(answer, Ran)
    return answer.proposal.state


def build_call(person: Principal, deed: Deed) -> ToolCall:
    """The same run and call each time: repeated, it must not happen again."""
    return ToolCall(
        name="bank.deposit",
        arguments={"accountId": str(deed.account_id), "amount": 5, "reference": str(deed.run_id)},
        principal=person,
        place=Place(edge="chat", run_id=deed.run_id, call_key="1:0"),
        circumstances=Circumstances(mode="auto" if deed.kind == "auto" else "approve"),
    )


async def load_decider(database: Database, tenant_id: UUID, person_id: UUID) -> Principal:
    """The person, as if with a browser session."""
    async with database.transaction(read_only=True) as db:
        return await load_person(
            db, tenant_id=tenant_id, user_id=person_id, name="Decider", session_id=new_id()
        )


def build_means(database: Database) -> Means:
    settings = build_settings(database.url)
    return main.build_means(
        database,
        settings=settings,
        loaded=load_bank(),
        vault=Vault(open_key_source(settings)),
    )


def build_settings(url: str) -> Settings:
    given: dict[str, object] = {
        "database_url": SecretStr(url),
        "master_key": SecretStr(MASTER_KEY),
        "tool_calls": MANY,
        "lease_seconds": LEASE_SECONDS,
        "work_concurrency": 1,
        "ollama_url": "",
    }
    return Settings.model_validate(given)


async def _work(url: str, fault: Fault | None, pipe: Pipe) -> None:
    """One thing at a time, so that each doomed process takes one thing with it."""
    database = await open_database(url, pool_size=6)
    settings = build_settings(url)
    async with main.open_parts(
        database,
        settings=settings,
        loaded=load_bank(),
        vault=Vault(open_key_source(settings)),
        telemetry=Telemetry(),
    ) as parts:
        worker = build_worker(parts.studio, settings)
        if fault is not None:
            install(fault)
        pipe.send("ready")
        await worker.run(asyncio.Event())


async def _serve(url: str, settings: dict[str, Any], pipe: Pipe) -> None:
    async with run_server(url, loaded=load_bank(), **settings) as server:
        pipe.send(server.url)
        await asyncio.Event().wait()


def install(fault: Fault) -> None:
    """From now on this process dies at the fault."""
    if isinstance(fault, AtStatement):
        _guard_statements(fault)
        return
    module_name, _, name = fault.path.partition(":")
    holder: Any = importlib.import_module(module_name)
    *parts, last = name.split(".")
    for part in parts:
        holder = getattr(holder, part)
    setattr(holder, last, _guard(getattr(holder, last), fault))


def _go_on(*_: object) -> None:
    pass


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _guard(function: Callable[..., Any], fault: AtFunction) -> Callable[..., Any]:
    def pass_by(when: str) -> None:
        if when == fault.when:
            os.kill(os.getpid(), fault.how)

    @functools.wraps(function)
    async def guarded_async(*args: Any, **named: Any) -> Any:
        pass_by("before")
        result = await function(*args, **named)
        pass_by("after")
        return result

    @functools.wraps(function)
    def guarded(*args: Any, **named: Any) -> Any:
        pass_by("before")
        result = function(*args, **named)
        pass_by("after")
        return result

    return guarded_async if inspect.iscoroutinefunction(function) else guarded


def _guard_statements(fault: AtStatement) -> None:
    sent = 0

    def guard(method: Callable[..., Any]) -> Callable[..., Any]:
        async def guarded(*args: Any, **named: Any) -> Any:
            nonlocal sent
            sent += 1
            if sent != fault.nth:
                return await method(*args, **named)
            if fault.when == "sent":
                pending = asyncio.ensure_future(method(*args, **named))
                await asyncio.wait([pending], timeout=0)
            return die()

        return guarded

    for name in STATEMENTS:
        holder = asyncpg.connection.Connection
        setattr(holder, name, guard(getattr(holder, name)))
