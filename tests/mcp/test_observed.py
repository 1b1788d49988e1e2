"""What a collector and a monitor get of calls over MCP: the same as of a chat, and nothing told."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

from assent.mcp_server import changes
from assent.testing import Databases, run_server
from tests.bank import MANAGE, READ
from tests.bank.desk import Desk, add_key, apply, load_bank
from tests.mcp.asking import MODERN, Asker, find_id, read_question, read_told
from tests.mcp.programs import REVISIONS
from tests.turn.collector import Collector, Span, run_collector
from tests.turn.people import execute, expect, find_tenant

DEPOSIT = "bank.deposit"
PROGRAM = "canary-name-of-a-program"
ARGUMENT = "canary-given-to-a-tool"
MADE_UP = "canary.toolThatAProgramMadeUp"
ROOM = 40


@dataclass(frozen=True, slots=True)
class Seen:
    """What there was to see, and what nobody should see."""

    collector: Collector
    metrics: dict[str, float]
    proposal_id: str
    secrets: tuple[str, ...]

    def find(self, name: str, **attributes: str) -> list[Span]:
        wanted = {name.replace("_", "."): value for name, value in attributes.items()}.items()
        return [one for one in self.collector.find(name) if wanted <= one.attributes.items()]

    def find_request(self, span: Span) -> Span:
        [request] = [one for one in self.collector.spans if one.span_id == span.parent_id]
        return request


@pytest_asyncio.fixture(scope="module")
async def seen(databases: Databases) -> AsyncGenerator[Seen]:
    settings: dict[str, Any] = {"background_work": False, "tool_calls": ROOM}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "PATIENCE_SECONDS", 0.0)
        async with run_collector() as collector, databases.copy() as url:
            async with run_server(
                url, loaded=load_bank(), otel_endpoint=collector.url, **settings
            ) as server:
                desk = Desk(server, await find_tenant(server))
                proposal_id, secrets = await call_everything(desk)
                text = (await desk.client.get("/metrics")).text
        metrics = {
            "".join([one.name, *(f" {key}={one.labels[key]}" for key in sorted(one.labels))]): (
                one.value
            )
            for family in text_string_to_metric_families(text)
            for one in family.samples
        }
        yield Seen(collector, metrics, proposal_id, secrets)


async def call_everything(desk: Desk) -> tuple[str, tuple[str, ...]]:
    """Reads in each revision, a change that is applied, what is refused, one over the budget."""
    key = await add_key(desk.tenant.admin, READ, MANAGE)
    given = {"accountId": str(await desk.open_account()), "amount": 5, "reference": ARGUMENT}
    told: list[str] = [key]
    for revision in REVISIONS:
        asker = await Asker(desk.server.url, key, revision, name=PROGRAM).begin()
        told += [asker.session] if asker.session else []
        assert "items" in read_told(await asker.call("bank.listAccounts", {}))
    asker = Asker(desk.server.url, key, MODERN, name=PROGRAM)
    url, state = read_question(await asker.call(DEPOSIT, given))
    _, later = read_question(await asker.again(DEPOSIT, given, state))
    await apply(desk.client, find_id(url))
    assert read_told(await asker.again(DEPOSIT, given, later))["state"] == "applied"
    assert "error" in await asker.call(MADE_UP, {"x": ARGUMENT})
    wrong = {**given, "amount": ARGUMENT}
    assert (await asker.call(DEPOSIT, wrong))["result"]["isError"] is True
    full = "UPDATE tool_budget SET taken = array_fill(now(), ARRAY[$1::int])"
    await execute(desk.server, full, ROOM)
    params = {"name": "bank.listAccounts", "arguments": {}}
    expect(await asker.post("tools/call", params), 429)
    assert (await desk.client.get("/oauth/authorize")).status_code == 400
    return find_id(url), (*told, state, later)


def test_a_read_is_a_span_below_its_request(seen: Seen) -> None:
    reads = seen.find("execute_tool bank.listAccounts")
    ran = [one for one in reads if one.attributes["assent.outcome"] == "ran"]
    assert len(ran) == len(REVISIONS)
    for one in ran:
        assert one.attributes == {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "bank.listAccounts",
            "gen_ai.tool.type": "function",
            "assent.edge": "mcp",
            "assent.effect": "read",
            "assent.outcome": "ran",
        }
        request = seen.find_request(one)
        assert (request.name, request.kind) == ("POST /mcp", "server")
        assert request.attributes["http.response.status_code"] == 200
        assert request.attributes["assent.principal.kind"] == "application"


def test_a_change_is_proposed_below_its_call(seen: Seen) -> None:
    [proposed] = [
        one
        for one in seen.find(f"execute_tool {DEPOSIT}")
        if one.attributes["assent.outcome"] == "proposed"
    ]
    assert proposed.attributes["assent.effect"] == "mutate"
    [below] = [one for one in seen.collector.spans if one.parent_id == proposed.span_id]
    assert below.name == f"propose {DEPOSIT}"
    decided = seen.collector.find_one("apply proposal")
    assert decided.attributes["assent.proposal.id"] == seen.proposal_id
    rounds = seen.find("execute_tool ai.readProposal")
    assert [one.attributes["assent.edge"] for one in rounds] == ["mcp", "mcp"]


def test_what_goes_wrong_is_named(seen: Seen) -> None:
    [unknown] = seen.find("execute_tool unknown")
    assert (unknown.failed, unknown.attributes["error.type"]) == (True, "not_found")
    assert seen.find_request(unknown).attributes["http.response.status_code"] == 400
    [wrong] = [one for one in seen.find(f"execute_tool {DEPOSIT}") if one.failed]
    assert wrong.attributes["error.type"] == "tool_validation"
    [refused] = [one for one in seen.find("execute_tool bank.listAccounts") if one.failed]
    assert (refused.attributes["error.type"], refused.attributes["assent.outcome"]) == (
        "too_many",
        "refused",
    )
    assert seen.find_request(refused).attributes["http.response.status_code"] == 429


def test_nothing_that_was_said_is_seen(seen: Seen) -> None:
    assert len(seen.collector.raw) > 5_000
    canaries = (PROGRAM, ARGUMENT, MADE_UP, *seen.secrets)
    assert [one for one in canaries if one.encode() in seen.collector.raw] == []
    assert [one for one in canaries if one in " ".join(seen.metrics)] == []


def test_the_sdk_adds_no_spans_of_its_own(seen: Seen) -> None:
    """Requests and calls have ours; twice would be twice the cost, and would tell names."""
    below = {
        one.name for one in seen.collector.spans if one.name.startswith(("tools/", "initialize"))
    }
    assert below == set()
    requests = seen.find("POST /mcp")
    introductions = len(REVISIONS) - 1
    assert len(requests) == introductions + len(REVISIONS) + 6


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("assent_tool_calls_total edge=mcp effect=read outcome=ran tool=bank.listAccounts", 3),
        ("assent_tool_calls_total edge=mcp effect=mutate outcome=proposed tool=bank.deposit", 1),
        ("assent_tool_calls_total edge=mcp effect=read outcome=ran tool=ai.readProposal", 2),
        ("assent_tool_calls_total edge=mcp effect=read outcome=refused tool=unknown", 1),
        ("assent_tool_calls_total edge=mcp effect=mutate outcome=failed tool=bank.deposit", 1),
        ("assent_tool_calls_total edge=mcp effect=read outcome=refused tool=bank.listAccounts", 1),
        ("assent_tool_call_duration_seconds_count tool=bank.listAccounts", 4),
        ("assent_tool_budget_refusals_total", 1),
        ("assent_proposals_total state=proposed", 1),
        ("assent_http_requests_total method=POST route=/mcp status=200", 9),
        ("assent_http_requests_total method=POST route=/mcp status=429", 1),
        ("assent_http_requests_total method=GET route=/oauth/authorize status=400", 1),
    ],
)
def test_calls_are_measured_by_their_edge(seen: Seen, name: str, value: float) -> None:
    assert seen.metrics.get(name) == value, "\n".join(sorted(seen.metrics))
