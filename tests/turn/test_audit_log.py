"""The audit log as people read it, and as an operator verifies it from the command line."""

import asyncio
import json
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.audit.entry import Actor, Entry, Trace, hash_arguments
from assent.audit.seal import Sealer
from assent.audit.signing import Signing
from assent.audit.store import append_entry
from assent.ids import new_id
from assent.testing import Databases, RunningServer, run_server
from assent.vault.keys import parse_key_ring
from tests.store.work.steps import eventually
from tests.turn.command import Result, assent
from tests.turn.people import (
    Tenant,
    add_person,
    add_tenant,
    execute,
    expect,
    fetch,
    fetch_value,
    find_tenant,
)

KEY = "ab" * 32
SIGNING = Signing(lambda: parse_key_ring([KEY]))
PERSON, DECIDER, PROPOSAL = new_id(), new_id(), new_id()


def make_entry(tenant_id: UUID, number: int, **more: Any) -> Entry:
    given: dict[str, Any] = {
        "edge": "rest" if number % 2 else "chat",
        "action": f"shop.order{number}",
        "effect": "mutate" if number % 3 else "read",
        "status": "refused" if number == 4 else "executed",
        "actor": Actor("user", PERSON if number < 3 else new_id(), f"Person {number}"),
        **more,
    }
    return Entry(tenant_id=tenant_id, arguments_hash=hash_arguments({"n": number}), **given)


@pytest_asyncio.fixture(scope="module")
async def log(shared: RunningServer) -> Tenant:
    """A tenant with ten entries beside those of its making; nine of the ten are sealed."""
    tenant = await add_tenant(shared)
    async with shared.database.transaction() as db:
        for number in range(9):
            await append_entry(db, make_entry(tenant.id, number))
    await Sealer(shared.database, SIGNING).seal_all()
    decided = make_entry(
        tenant.id,
        9,
        status="applied",
        decider=Actor("user", DECIDER, "Decider"),
        trace=Trace(conversation_id=new_id(), run_id=new_id(), proposal_id=PROPOSAL),
    )
    async with shared.database.transaction() as db:
        await append_entry(db, decided)
    return tenant


async def read(tenant: Tenant, **query: object) -> dict[str, Any]:
    given = {name: str(value) for name, value in query.items()}
    return expect(await tenant.admin.client.get("/api/audit", params=given), 200)


async def list_actions(tenant: Tenant, **query: object) -> list[str]:
    items = (await read(tenant, action="shop.", **query))["items"]
    return [item["action"].removeprefix("shop.order") for item in items]


async def test_an_entry(log: Tenant) -> None:
    items = (await read(log, limit=2))["items"]
    assert items[0] | {"id": "", "occurredAt": "", "conversationId": "", "runId": ""} == {
        "id": "",
        "occurredAt": "",
        "edge": "rest",
        "action": "shop.order9",
        "effect": "read",
        "status": "applied",
        "actor": {"kind": "user", "id": items[0]["actor"]["id"], "name": "Person 9"},
        "decider": {"kind": "user", "id": str(DECIDER), "name": "Decider"},
        "argumentsHash": hash_arguments({"n": 9}).hex(),
        "conversationId": "",
        "runId": "",
        "proposalId": str(PROPOSAL),
        "sealed": False,
        "position": None,
    }
    before = {name: items[1][name] for name in ("action", "decider", "sealed")}
    assert before == {"action": "shop.order8", "decider": None, "sealed": True}
    status = expect(await log.admin.client.get("/api/audit/status"), 200)
    assert items[1]["position"] == status["lastHead"]["position"]


async def test_newest_first_page_by_page(log: Tenant, shared: RunningServer) -> None:
    pages: list[list[str]] = []
    cursor: dict[str, str] = {}
    while True:
        page = await read(log, action="shop.", limit=3, **cursor)
        pages.append([item["action"].removeprefix("shop.order") for item in page["items"]])
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
        async with shared.database.transaction() as db:
            await append_entry(db, make_entry(log.id, 10, action="other.thing"))
    assert pages == [["9", "8", "7"], ["6", "5", "4"], ["3", "2", "1"], ["0"]]


async def test_entries_of_one_moment_are_told_apart(shared: RunningServer) -> None:
    tenant = await add_tenant(shared)
    async with shared.database.transaction() as db:
        for number in range(7):
            await append_entry(db, make_entry(tenant.id, number))
    await execute(
        shared, "UPDATE audit_entries SET occurred_at = now() WHERE tenant_id = $1", tenant.id
    )
    seen: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(4):
        page = await read(tenant, action="shop.", limit=2, **cursor)
        seen += [item["id"] for item in page["items"]]
        cursor = {"cursor": page["nextCursor"]}
    assert (len(seen), seen) == (7, sorted(seen, reverse=True))


async def test_filters(log: Tenant) -> None:
    everything = [str(number) for number in range(9, -1, -1)]
    assert await list_actions(log) == everything
    assert await list_actions(log, edge="chat") == ["8", "6", "4", "2", "0"]
    assert await list_actions(log, status="refused") == ["4"]
    assert await list_actions(log, effect="read") == ["9", "6", "3", "0"]
    assert await list_actions(log, principalId=PERSON) == ["2", "1", "0"]
    assert await list_actions(log, proposalId=PROPOSAL) == ["9"]
    assert await list_actions(log, principalId=PERSON, edge="rest") == ["1"]
    assert (await read(log, action="SHOP.ORDER7"))["items"][0]["action"] == "shop.order7"
    times = {
        item["action"]: datetime.fromisoformat(item["occurredAt"]).isoformat()
        for item in (await read(log, action="shop."))["items"]
    }
    assert await list_actions(log, since=times["shop.order7"]) == ["9", "8", "7"]
    assert await list_actions(log, until=times["shop.order2"]) == ["1", "0"]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ({"edge": "nowhere"}, "edge"),
        ({"status": "done"}, "status"),
        ({"since": "2026-01-01"}, "since"),
        ({"until": "1"}, "until"),
        ({"since": "0001-01-01T00:00:00+14:00"}, "since"),
        ({"principalId": "me"}, "principalId"),
        ({"who": "me"}, "who"),
    ],
)
async def test_a_filter_that_cannot_be(log: Tenant, query: dict[str, str], path: str) -> None:
    problem = expect(await log.admin.client.get("/api/audit", params=query), 422)
    assert [issue["path"] for issue in problem["issues"]] == [path]


@pytest.mark.parametrize("cursor", ["WzFd", "WyJ4IiwieSJd", "WyIwMDAxLTAxLTAxIiwgInkiXQ"])
async def test_a_cursor_from_elsewhere(log: Tenant, cursor: str) -> None:
    problem = expect(await log.admin.client.get("/api/audit", params={"cursor": cursor}), 404)
    assert problem["code"] == "unknown_cursor"


async def test_how_far_it_is_sealed(log: Tenant, shared: RunningServer) -> None:
    status = expect(await log.admin.client.get("/api/audit/status"), 200)
    eighth = (await read(log, action="shop.order8"))["items"][0]
    heads = await fetch(
        shared,
        "SELECT position, encode(link, 'hex') AS link FROM audit_heads WHERE tenant_id = $1",
        log.id,
    )
    assert status["sealedThrough"] == eighth["occurredAt"]
    assert status["unsealed"] >= 1
    assert heads == [{key: status["lastHead"][key] for key in ("position", "link")}]
    empty = await add_tenant(shared)
    await execute(shared, "DELETE FROM audit_entries WHERE tenant_id = $1", empty.id)
    assert expect(await empty.admin.client.get("/api/audit/status"), 200) == {
        "sealedThrough": None,
        "unsealed": 0,
        "lastHead": None,
    }


async def test_who_may_read_it(log: Tenant, shared: RunningServer) -> None:
    reader = await add_person(shared, log.id, rules=["audit.entry.read"])
    stranger = await add_person(shared, log.id, rules=["identity.user.manage"])
    local = await add_person(
        shared, log.id, rules=["audit.entry.read"], workspace_id=log.workspace_id
    )
    foreign = await add_tenant(shared)
    paths = (
        "/api/audit",
        *(f"/api/audit/{name}" for name in ("status", "verify", "export", "log")),
    )
    for path in paths:
        assert (await reader.client.get(path)).status_code == 200
        for person in (stranger, local):
            assert expect(await person.client.get(path), 403)["rule"] == "audit.entry.read"
    assert await list_actions(foreign) == []


async def test_what_a_person_changes_is_in_the_log(databases: Databases) -> None:
    """Over real HTTP, sealed by the running server itself."""
    async with databases.copy() as url, run_server(url, master_key=KEY) as server:
        admin = (await find_tenant(server)).admin.client
        expect(await admin.post("/api/workspaces", json={"slug": "one", "name": "One"}), 201)

        async def is_sealed() -> bool:
            entry = expect(await admin.get("/api/audit"), 200)["items"][0]
            assert entry["action"] == "identity.addWorkspace"
            return entry["sealed"]

        await eventually(is_sealed)


@pytest_asyncio.fixture
async def running(databases: Databases) -> AsyncGenerator[tuple[RunningServer, str, Tenant]]:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, master_key=KEY) as server,
    ):
        tenant = await find_tenant(server)
        for _ in range(2):
            async with server.database.transaction() as db:
                for number in range(4):
                    await append_entry(db, make_entry(tenant.id, number))
            await Sealer(server.database, SIGNING).seal_all()
        yield server, url, tenant


async def test_the_commands(running: tuple[RunningServer, str, Tenant], tmp_path: Path) -> None:
    server, url, tenant = running
    place = {"DATABASE_URL": url, "ASSENT_MASTER_KEY": KEY}

    async def audit(*arguments: str, **environment: str) -> Result:
        return await assent("audit", *arguments, folder=tmp_path, **environment)

    head, exported, verified = await asyncio.gather(
        audit("head", **place), audit("export", "log.jsonl", **place), audit("verify", **place)
    )
    assert (head.code, exported.code, verified.code) == (0, 0, 0), (head, exported, verified)
    slug, kept, _, public_key = head.output.rstrip("\n").split("\t")
    count = await fetch_value(server, "SELECT max(position) FROM audit_entries")
    assert (slug, kept.split(":")[:2]) == ("default", [str(tenant.id), str(count)])
    assert verified.output.splitlines() == [
        "· Signatures were checked with the master key of this installation.",
        f"✓ default: entries 1 to {count}, signed heads: 2.",
        "Nothing was changed.",
    ]
    assert exported.output == ""
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert json.loads(lines[-1]) == {"type": "end", "lines": len(lines)}

    offline, given, other = await asyncio.gather(
        audit("verify", "log.jsonl", "--expect-head", kept),
        audit("verify", "log.jsonl", "--public-key", public_key),
        audit("verify", "log.jsonl", "--public-key", "00" * 32),
    )
    assert (offline.code, given.code, other.code) == (0, 0, 1)
    assert "not who made it" in offline.output
    assert "that you gave" in given.output
    assert "not trusted here" in other.output

    await execute(server, "UPDATE audit_entries SET action = 'no.thing' WHERE position = 3")
    await execute(server, "DELETE FROM audit_entries WHERE position = 6")
    changed = await audit("verify", "--tenant", "default", **place)
    assert (changed.code, changed.errors) == (1, "")
    found = [line for line in changed.output.splitlines() if line.startswith("✗")]
    assert len(found) == 3
    assert "Entry 3 (" in found[1] and "was changed" in found[1]
    assert "Entry 6 was removed." in found[2]


async def test_a_log_that_was_cut_back(
    running: tuple[RunningServer, str, Tenant], tmp_path: Path
) -> None:
    server, url, _ = running
    place = {"DATABASE_URL": url, "ASSENT_MASTER_KEY": KEY}
    head = await assent("audit", "head", folder=tmp_path, **place)
    kept = head.output.split("\t")[1]
    end = await fetch_value(server, "SELECT min(position) FROM audit_heads")
    await execute(server, "DELETE FROM audit_entries WHERE position > $1", end)
    await execute(server, "DELETE FROM audit_heads WHERE position > $1", end)
    unaware, aware = await asyncio.gather(
        assent("audit", "verify", folder=tmp_path, **place),
        assent("audit", "verify", "--expect-head", kept, folder=tmp_path, **place),
    )
    assert unaware.code == 0
    assert aware.code == 1
    assert f"what came after {end} was cut off" in aware.output


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no such tenant": (("export", "-", "--tenant", "nowhere"), 1, "no tenant nowhere"),
    "no moment": (("export", "-", "--since", "yesterday"), 2, "--since"),
    "no such second": (("export", "-", "--since", "2016-12-31T23:59:60Z"), 2, "--since"),
    "no file": (("verify", "absent.jsonl"), 2, "absent.jsonl"),
    "no head": (("verify", "--expect-head", "x"), 2, "is not a head"),
    "no key": (("verify", "--public-key", "x"), 2, "is not a public key"),
}


async def test_wrong_usage(running: tuple[RunningServer, str, Tenant], tmp_path: Path) -> None:
    _, url, _ = running
    place = {"DATABASE_URL": url, "ASSENT_MASTER_KEY": KEY}
    for name, (arguments, code, told) in WRONG.items():
        result = await assent("audit", *arguments, folder=tmp_path, **place)
        assert (result.code, result.output) == (code, ""), (name, result)
        assert told in result.errors, (name, result)


async def test_an_export_through_a_pipe(
    running: tuple[RunningServer, str, Tenant], tmp_path: Path
) -> None:
    _, url, _ = running
    place = {"DATABASE_URL": url, "ASSENT_MASTER_KEY": KEY}
    since = ("--since", "2026-01-01t00:00:00z")
    exported = await assent("audit", "export", "-", *since, folder=tmp_path, **place)
    lines = exported.output.splitlines()
    assert [json.loads(line)["type"] for line in lines[:3]] == ["export", "key", "log"]
    (tmp_path / "whole").write_text(exported.output)
    (tmp_path / "part").write_text("\n".join(lines[:-2]))
    whole, part = await asyncio.gather(
        assent("audit", "verify", "whole", folder=tmp_path),
        assent("audit", "verify", "part", folder=tmp_path),
    )
    assert (whole.code, part.code) == (0, 1)
    assert "The export is not whole" in part.output
