"""There is one door: nothing else runs a tool, and only a person in a browser opens it.

The first half reads the source, the second half knocks at every route with every credential that
is not a person's browser session.
"""

import ast
from collections.abc import AsyncGenerator, Iterator
from typing import Any, TypeGuard
from uuid import UUID

import pytest_asyncio

from assent.testing import Client, Databases
from tests.bank.accounts import count_effects
from tests.bank.desk import Desk, add_key, apply_with, ask_token, open_desk
from tests.contract.routes import find_code, list_routes
from tests.contract.source import Module, read_modules
from tests.contract.story import digest
from tests.turn.people import execute, expect, fetch_value

AUTHORS_CODE = {"execute", "dry_run", "reconcile", "inverse"}
RUNNERS = {
    "assent.actions.run_tool": {"execute", "dry_run"},
    "assent.actions.apply": {"execute"},
    "assent.actions.outside": {"execute", "reconcile"},
    "assent.actions.undoing.plan": {"inverse"},
}
"""Who touches a tool's own functions, and which."""

DECLARERS = {"assent.plugins.declare_tool", "assent.tools.tool"}
"""Who fills them in and checks that they are there."""

OPEN_TO_EDGES = {
    "assent.actions.admission.admit": {"Admitted", "admit"},
    "assent.actions.waiting.outdated": {"tell_of_voided", "void_open", "void_outdated"},
    "assent.actions.call": {
        "Answer",
        "Applied",
        "Circumstances",
        "Proposed",
        "Ran",
        "ToolCall",
        "call_tool",
        "find_status",
        "refuse_call",
    },
    "assent.actions.apply": {"apply"},
    "assent.actions.decide": {"Decision", "check_person", "decline", "issue_token", "resolve"},
    "assent.actions.cards": {
        "Asked",
        "Card",
        "Wanted",
        "find_reach",
        "list_cards",
        "load_card",
        "show_card",
    },
    "assent.actions.approval": {"Tally", "Vote"},
    "assent.actions.asking.program": {"Program", "build_program"},
    "assent.actions.asking.read": {"Reading", "tell_asking"},
    "assent.actions.asking.store": {"is_spent", "release_call", "spend_state"},
    "assent.actions.asking.told": {"READ_PROPOSAL", "UNDECIDED"},
    "assent.actions.asking.tools": {"plugin"},
    "assent.actions.asking.wait": {"wait_for_decision"},
    "assent.actions.approvals.procedures": {"plugin"},
    "assent.actions.approvals.store": {"count_stuck"},
    "assent.actions.approvals.weigh": {"Approvals"},
    "assent.actions.evidence.keep": {"find_evidence"},
    "assent.actions.proposal": {"Place", "Proposal", "State"},
    "assent.actions.undo": {"undo"},
    "assent.actions.means": {"Means"},
    "assent.actions.budget": {"Budget", "Taken"},
    "assent.actions.record": {"DECIDED"},
    "assent.actions.store": {"count_unknown", "count_waiting"},
    "assent.actions.waiting.cards": {
        "find_followers",
        "forget_told",
        "has_untold",
        "list_changed",
        "list_told",
        "list_waiting",
        "load_told",
        "has_undecided",
        "list_taken",
        "take_untold",
    },
}
"""All that anybody outside of `actions/` imports from it."""

OPEN_TO_WORKERS = {
    "assent.actions.outside": {
        "APPLY_KIND",
        "RECONCILE_KIND",
        "build_apply_handler",
        "build_reconcile_handler",
    },
    "assent.actions.sweep": {"SWEEP", "build_sweep_handler"},
    "assent.actions.record": {"DECIDED"},
}
"""What `background.py` puts together: it acts after a decision, on stored proposals."""


def find_uses(module: Module) -> Iterator[tuple[str, ast.AST]]:
    """Every way in which the module gets hold of a tool's functions."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr == "functions":
            yield "functions", node
        if _names_a_function(node):
            yield node.attr, node
        if isinstance(node, ast.Constant) and node.value == "functions":
            yield "by name", node


def _names_a_function(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(node, ast.Attribute)
        and node.attr in AUTHORS_CODE
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "functions"
    )


def test_a_tools_functions_are_touched_only_behind_the_door() -> None:
    found = {
        name: {what for what, _ in find_uses(module)} & AUTHORS_CODE
        for name, module in read_modules().items()
        if name not in DECLARERS and any(find_uses(module))
    }
    assert found == RUNNERS


def test_no_function_of_a_tool_is_carried_away() -> None:
    """`tool.functions` itself is never passed on: each use names the function."""
    bare: list[str] = []
    for name, module in read_modules().items():
        if name in DECLARERS:
            continue
        uses = list(find_uses(module))
        whole = [node for what, node in uses if what == "functions"]
        named = {
            id(node.value)
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Attribute) and node.attr != "functions"
        }
        bare += [f"{name}:{getattr(node, 'lineno', 0)}" for node in whole if id(node) not in named]
        bare += [name for what, _ in uses if what == "by name"]
    assert bare == []


def test_what_lies_behind_the_door_is_imported_only_there() -> None:
    strangers = [
        f"{module.name}:{one.line} imports {one.module}.{one.name}"
        for module in read_modules().values()
        if module.part != "actions"
        for one in module.imports()
        if one.module.startswith("assent.actions") and not _is_open(module, one.module, one.name)
    ]
    assert strangers == []


def _is_open(module: Module, origin: str, name: str | None) -> bool:
    names = OPEN_TO_EDGES.get(origin, set())
    if module.name == "assent.background":
        names = names | OPEN_TO_WORKERS.get(origin, set())
    return name in names


def test_only_behind_the_door_is_said_that_a_call_was_counted() -> None:
    strangers = [
        f"{module.name}:{node.lineno}"
        for module in read_modules().values()
        if module.part != "actions"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) == "Taken"
    ]
    assert strangers == []


def test_edges_call_tools_through_the_door() -> None:
    callers = {
        module.name
        for module in read_modules().values()
        for one in module.imports()
        if (one.module, one.name) == ("assent.actions.call", "call_tool")
    }
    assert callers >= {"assent.api.tools", "assent.api.proposals"}


def test_only_the_door_asks_the_gate() -> None:
    deciders = {
        module.name
        for module in read_modules().values()
        for one in module.imports()
        if (one.module, one.name) == ("assent.tools.gate", "decide")
    }
    assert deciders == {"assent.actions.call"}


PROPOSING = {"POST /api/tools/{name}/call", "POST /api/proposals"}
"""Open to keys: what these do not answer with data waits for a person."""

NOTED = {"public.outbox", "public.tool_budget"}
"""What an attempt may leave behind, besides its audit entry."""


@pytest_asyncio.fixture
async def desk(databases: Databases) -> AsyncGenerator[Desk]:
    async with open_desk(databases) as opened:
        yield opened


@pytest_asyncio.fixture
async def account(desk: Desk) -> UUID:
    return await desk.open_account(balance=100)


@pytest_asyncio.fixture
async def robot(desk: Desk) -> Client:
    """An application of the admin's, with every rule there is."""
    return await desk.server.open_client(key=await add_key(desk.tenant.admin, "*"))


async def list_intruders(desk: Desk, robot: Client) -> dict[str, tuple[Client, str]]:
    """Clients that are no person's browser session, and what they are told."""
    cookies = dict(desk.client.cookies)
    key = robot.headers["authorization"].removeprefix("Bearer ")
    both = Client(desk.server.url, key=key, cookies=cookies)
    both.headers["x-assent-csrf"] = "1"
    foreign = Client(desk.server.url, cookies=cookies)
    del foreign.headers["x-assent-csrf"]
    return {
        "a key": (robot, "people_only"),
        "a key beside a session": (both, "people_only"),
        "nobody": (await desk.server.open_client(), "not_signed_in"),
        "a page of elsewhere": (foreign, "cross_site"),
    }


def list_bodies(card: dict[str, Any], token: str) -> dict[str, Any]:
    """By the end of the address: what a person would send."""
    return {
        "token": {},
        "apply": {"token": token},
        "decline": {"token": token, "reason": "no"},
        "resolve": {"outcome": "applied", "note": "surely"},
        "decide": [{"id": card["id"], "token": token, "kind": "apply"}],
    }


async def take_stock(desk: Desk) -> dict[str, str]:
    found = await digest(desk.server.database)
    return {table: rows for table, rows in found.items() if table not in NOTED}


async def test_nobody_else_decides_even_with_a_stolen_token(
    desk: Desk, robot: Client, account: UUID
) -> None:
    own = await desk.propose_deposit(account, client=robot)
    card = await desk.propose_deposit(account)
    lost = await desk.propose("bank.wire", {"accountId": str(account), "amount": 1})
    lose = "UPDATE proposals SET state = 'outcome_unknown' WHERE id = $1"
    await execute(desk.server, lose, UUID(lost["id"]))
    tokens = {one["id"]: await ask_token(desk.client, one["id"]) for one in (own, card)}
    before = await take_stock(desk)
    intruders = await list_intruders(desk, robot)
    for one in (own, card, lost):
        token = tokens.get(one["id"], "none")
        for who, (client, code) in intruders.items():
            for end, body in list_bodies(one, token).items():
                at = "" if end == "decide" else f"/{one['id']}"
                answer = await client.post(f"/api/proposals{at}/{end}", json=body)
                assert find_code(answer) == code, (who, end, answer.text)
    assert await take_stock(desk) == before
    assert await count_effects(desk.server.database, account) == 0
    refused = "SELECT count(*) FROM audit_entries WHERE status = 'refused' AND proposal_id = $1"
    for one in (own, card, lost):
        assert await fetch_value(desk.server, refused, UUID(one["id"])) == 2 * 5
    assert (await apply_with(desk.client, own["id"], tokens[own["id"]]))["state"] == "applied"


async def test_no_route_lets_anybody_else_change_something(
    desk: Desk, robot: Client, account: UUID
) -> None:
    card = await desk.propose_deposit(account)
    token = await ask_token(desk.client, card["id"])
    bodies: list[Any] = [{}, *list_bodies(card, token).values()]
    routes = [route for route in list_routes(desk.server.app) if route.changes_something]
    assert len(routes) > 40
    before = await take_stock(desk)
    passed: dict[str, str] = {}
    for who, (client, _) in (await list_intruders(desk, robot)).items():
        for route in routes:
            if who.startswith("a key") and str(route) in PROPOSING:
                continue
            for body in bodies:
                answer = await client.request(route.method, route.address(card["id"]), json=body)
                if not 400 <= answer.status_code < 500:
                    passed[f"{route} by {who}"] = answer.text
    assert passed == {}
    assert await take_stock(desk) == before
    assert await count_effects(desk.server.database, account) == 0


async def test_what_a_key_calls_waits_for_a_person(
    desk: Desk, robot: Client, account: UUID
) -> None:
    """Every tool that changes something: a card, or a refusal, and nothing but cards."""
    tools = expect(await robot.get("/api/tools"), 200)["items"]
    changing = [tool["name"] for tool in tools if tool["effect"] != "read"]
    assert {"bank.deposit", "bank.close", "bank.wire", "catalog.deleteSystem"} <= set(changing)
    inputs = [
        {"accountId": str(account)},
        {"accountId": str(account), "amount": 5},
        {"accountId": str(account), "how": "none"},
        {"workspaceId": str(desk.tenant.workspace_id), "name": "new"},
    ]
    before = await take_stock(desk)
    answered = 0
    for name in changing:
        for given in inputs:
            answer = await robot.post(f"/api/tools/{name}/call", json={"input": given})
            assert answer.status_code == 202 or answer.status_code >= 400, answer.text
            answered += answer.status_code == 202
    after = await take_stock(desk)
    assert answered >= 5
    assert {table for table in after if after[table] != before.get(table)} == {"public.proposals"}
    waiting = "SELECT count(*) FROM proposals WHERE state = 'proposed'"
    assert await fetch_value(desk.server, waiting) == answered
    assert await count_effects(desk.server.database, account) == 0


def test_the_routes_that_propose_exist() -> None:
    assert {str(route) for route in list_routes()} >= PROPOSING
