"""What a collector gets of whole turns: spans in one trace across the queue, and nothing told."""

import io
import json
import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import get_tracer_provider
from prometheus_client.parser import text_string_to_metric_families

from assent.logs import JsonFormatter
from assent.main import build_telemetry, find_database_url
from assent.settings import Settings
from assent.testing import Client, Databases, run_server
from assent.testing.provider import call, end, refuse, stream, text
from assent.vault.scrubbing import build_hiding
from tests.bank.desk import MANY, apply, load_bank
from tests.turn.collector import Collector, Span, run_collector
from tests.turn.people import expect
from tests.turn.talk import Talk, open_talk, wait_until

TRACE = "0af7651916cd43dd8448eb211c80319c"
CALLER = "b7ad6b7169203331"
SAID = "canary-said-by-a-person"
ANSWERED = "canary-answered-by-the-model"
ARGUMENT = "canary-given-to-a-tool"
TOOL = "canary_tool_that_a_model_made_up"
COMPLAINT = "canary-complaint-of-the-provider"
KEY = "canary-key-of-the-provider"
QUERY = "canary-searched-for"
PERSON = "Canary Person"
REASON = "canary-reason-of-a-person"
TOLD = (SAID, ANSWERED, ARGUMENT, TOOL, COMPLAINT, KEY, QUERY, PERSON, REASON, "launch code")

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 40,
    "total_tokens": 140,
    "prompt_tokens_details": {"cached_tokens": 30},
    "completion_tokens_details": {"reasoning_tokens": 7},
}


@dataclass(frozen=True, slots=True)
class Story:
    """What was seen of it, and the facts to compare with."""

    collector: Collector
    conversation: str
    run_id: str
    proposal: str
    session: str
    measured: dict[str, float]
    lines: list[dict[str, Any]]

    def find_run(self, run_id: str) -> Span:
        [found] = [
            one
            for one in self.collector.find("invoke_agent assistant")
            if one.attributes["assent.run.id"] == run_id
        ]
        return found

    def list_children(self, parent: Span) -> list[Span]:
        return [one for one in self.collector.spans if one.parent_id == parent.span_id]


@contextmanager
def logged() -> Generator[io.StringIO]:
    """The log of the body, as a server writes it."""
    written = io.StringIO()
    handler, logger = logging.StreamHandler(written), logging.getLogger("assent")
    handler.setFormatter(JsonFormatter(build_hiding(Settings())))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield written
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


async def tell(talk: Talk) -> tuple[str, str, str]:
    """A traced turn with a tool, a card that is applied, and everything that can go wrong."""
    account = str(await talk.open_account())
    change = {"name": PERSON}
    expect(await talk.client.patch("/api/me", json=change), 200)
    integration = {
        "name": "Second",
        "baseUrl": talk.provider.url,
        "defaultModel": "fake",
        "classifier": False,
    }
    expect(await talk.client.post("/api/admin/integrations", json={**integration, "key": KEY}), 201)
    conversation = await talk.open()
    talk.provider.script(
        stream(call("bank_listAccounts", "{}", id="a"), end("tool_calls", USAGE)),
        stream(text(ANSWERED), end("stop", USAGE)),
    )
    answer = await talk.client.post(
        "/api/chat",
        json={"conversationId": conversation, "message": {"text": SAID}},
        headers={"traceparent": f"00-{TRACE}-{CALLER}-01"},
    )
    assert ANSWERED in answer.text
    run_id = answer.headers["x-assent-run-id"]
    proposal = await propose_and_apply(talk, account)
    await go_wrong(talk, account)
    return conversation, run_id, proposal


async def propose_and_apply(talk: Talk, account: str) -> str:
    conversation = await talk.open()
    given = json.dumps({"accountId": account, "amount": 5, "reference": ARGUMENT})
    talk.provider.script(
        stream(call("bank_deposit", given, id="b"), end("tool_calls")),
        stream(text("Look at the card."), end()),
        stream(text("Done."), end()),
    )
    [card] = (await talk.say(conversation, "Deposit 5")).find("data-proposal")
    proposal = card["data"]["proposalId"]
    await apply(talk.client, proposal)
    await talk.wait_for_messages(conversation, 3)
    return proposal


async def go_wrong(talk: Talk, account: str) -> None:
    crash = json.dumps({"accountId": account, "how": "crash", "where": "execute"})
    talk.provider.script(
        stream(
            call(TOOL, json.dumps({"x": ARGUMENT}), index=0, id="c"),
            call("bank_trouble", crash, index=1, id="d"),
            end("tool_calls"),
        ),
        stream(text("So."), end()),
    )
    await talk.say(await talk.open(mode="auto"), SAID)
    talk.provider.script(refuse(401, {"message": COMPLAINT}))
    await talk.say(await talk.open(), SAID)
    expect(await (await talk.server.open_client()).get("/login", params={"token": QUERY}), 303)
    expect(await talk.client.get(f"/api/p/catalog/{QUERY}"), 404)
    body = {"conversationId": "x", "message": {"text": SAID}}
    expect(await talk.client.post("/api/chat", json=body), 422)


async def measure(*clients: Client) -> dict[str, float]:
    """The samples of all processes, added up."""
    total: dict[str, float] = {}
    for client in clients:
        for family in text_string_to_metric_families((await client.get("/metrics")).text):
            for one in family.samples:
                labels = ",".join(f"{name}={one.labels[name]}" for name in sorted(one.labels))
                name = f"{one.name}{{{labels}}}" if labels else one.name
                total[name] = total.get(name, 0) + one.value
    return total


async def wait_for_runs(talk: Talk, worker: Client, count: int) -> dict[str, float]:
    """The samples when so many turns have ended and been counted."""

    async def look() -> dict[str, float] | None:
        found = await measure(talk.client, worker)
        ended = found.get("assent_work_ended_total{kind=runs.drive,outcome=done}")
        return found if ended == count else None

    return await wait_until(look)


@pytest_asyncio.fixture(scope="module")
async def story(databases: Databases) -> AsyncGenerator[Story]:
    """One process answers requests, another drives the runs."""
    with logged() as log:
        async with (
            run_collector() as collector,
            open_talk(databases, background_work=False, otel_endpoint=collector.url) as talk,
        ):
            settings = talk.server.settings
            async with run_server(
                find_database_url(settings),
                loaded=load_bank(),
                master_key=settings.master_key,
                tool_calls=MANY,
                ollama_url="",
                otel_endpoint=collector.url,
            ) as worker:
                conversation, run_id, proposal = await tell(talk)
                measured = await wait_for_runs(talk, await worker.open_client(), 5)
                session = talk.client.cookies["assent_session"]
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    yield Story(collector, conversation, run_id, proposal, session, measured, lines)


def test_a_turn_is_one_trace_across_the_queue(story: Story) -> None:
    collector = story.collector
    [request] = [one for one in collector.spans if one.parent_id == CALLER]
    assert (request.name, request.kind, request.trace_id) == ("POST /api/chat", "server", TRACE)
    [work] = story.list_children(request)
    assert (work.name, work.kind) == ("work runs.drive", "consumer")
    [run] = story.list_children(work)
    assert run == story.find_run(story.run_id)
    children = sorted(one.name for one in story.list_children(run))
    assert children == ["chat fake", "chat fake", "execute_tool bank.listAccounts"]
    assert {one.trace_id for one in (request, work, run, *story.list_children(run))} == {TRACE}


def test_what_the_request_tells(story: Story) -> None:
    [request] = [one for one in story.collector.spans if one.parent_id == CALLER]
    assert request.attributes.pop("assent.request.id")
    assert request.attributes == {
        "http.request.method": "POST",
        "http.route": "/api/chat",
        "http.response.status_code": 200,
        "assent.principal.kind": "user",
    }


def test_what_the_turn_tells(story: Story) -> None:
    run = story.find_run(story.run_id)
    told = run.attributes
    assert told.pop("assent.queue.wait") >= 0
    assert told.pop("gen_ai.response.time_to_first_chunk") > 0
    assert told.pop("assent.tenant.id")
    assert told == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "assistant",
        "gen_ai.conversation.id": story.conversation,
        "gen_ai.provider.name": "generic",
        "gen_ai.request.model": "fake",
        "gen_ai.usage.input_tokens": 200,
        "gen_ai.usage.output_tokens": 80,
        "assent.run.id": story.run_id,
        "assent.run.kind": "turn",
        "assent.run.steps": 2,
        "assent.attempt": 1,
        "assent.outcome": "completed",
    }
    assert (run.kind, run.failed) == ("internal", False)


def test_what_a_model_call_tells(story: Story) -> None:
    calls = [
        one for one in story.list_children(story.find_run(story.run_id)) if one.kind == "client"
    ]
    assert [one.attributes["gen_ai.response.finish_reasons"] for one in calls] == [
        ["tool_calls"],
        ["stop"],
    ]
    told = calls[1].attributes
    assert told.pop("gen_ai.response.time_to_first_chunk") > 0
    assert told.pop("gen_ai.request.max_tokens") > 0
    assert told == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "generic",
        "gen_ai.request.model": "fake",
        "gen_ai.request.stream": True,
        "gen_ai.output.type": "text",
        "gen_ai.conversation.id": story.conversation,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 40,
        "gen_ai.usage.cache_read.input_tokens": 30,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "gen_ai.usage.reasoning.output_tokens": 7,
        "assent.model.purpose": "turn",
    }


def test_what_a_tool_call_tells(story: Story) -> None:
    [called] = [
        one
        for one in story.list_children(story.find_run(story.run_id))
        if one.name.startswith("execute_tool")
    ]
    assert called.attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bank.listAccounts",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": f"{story.run_id}/0/0",
        "gen_ai.conversation.id": story.conversation,
        "assent.run.id": story.run_id,
        "assent.edge": "chat",
        "assent.effect": "read",
        "assent.outcome": "ran",
    }


def test_a_decision_leads_to_a_turn_in_its_own_trace(story: Story) -> None:
    collector = story.collector
    deposit = collector.find_one("execute_tool bank.deposit")
    assert deposit.attributes["assent.outcome"] == "proposed"
    assert [one.name for one in story.list_children(deposit)] == ["propose bank.deposit"]
    decided = collector.find_one("apply proposal")
    assert decided.attributes == {
        "assent.proposal.id": story.proposal,
        "assent.outcome": "applied",
    }
    [reacting] = [
        one for one in collector.find("work runs.decision") if one.trace_id == decided.trace_id
    ]
    assert reacting.parent_id == decided.span_id
    [work] = story.list_children(reacting)
    [run] = story.list_children(work)
    assert run.attributes["assent.run.kind"] == "decision"


def test_what_goes_wrong_is_named_and_not_quoted(story: Story) -> None:
    collector = story.collector
    unknown = collector.find_one("execute_tool unknown")
    assert unknown.failed
    assert (unknown.attributes["error.type"], unknown.attributes["assent.outcome"]) == (
        "not_found",
        "refused",
    )
    crashed = collector.find_one("execute_tool bank.trouble")
    assert crashed.attributes["assent.outcome"] == "failed"
    [refused] = [one for one in collector.find("chat fake") if "error.type" in one.attributes]
    assert refused.attributes["error.type"] == "model_credentials"
    [failed] = [one for one in collector.find("invoke_agent assistant") if one.failed]
    assert failed.attributes["error.type"] == "model_credentials"
    assert failed.attributes["assent.outcome"] == "failed"
    assert {one.status_message for one in collector.spans} == {""}
    assert {one.events for one in collector.spans} == {0}


def test_nothing_that_anybody_said_leaves(story: Story) -> None:
    assert len(story.collector.raw) > 10_000
    assert [one for one in (*TOLD, story.session) if one.encode() in story.collector.raw] == []
    measured = "\n".join(story.measured)
    assert [one for one in (*TOLD, story.session) if one in measured] == []


def test_lines_of_a_request_carry_its_ids(story: Story) -> None:
    [line] = [one for one in story.lines if one.get("trace_id") == TRACE and "request_id" in one]
    [request] = [one for one in story.collector.spans if one.parent_id == CALLER]
    assert line["message"] == "POST /api/chat 200"
    assert line["span_id"] == request.span_id
    assert all("request_id" in one for one in story.lines if one["logger"] == "assent.http")


def test_lines_of_a_turn_carry_its_ids(story: Story) -> None:
    """Also those of code that knows nothing of turns: this one is about a tool."""
    [line] = [one for one in story.lines if one["message"] == "The tool bank.trouble failed."]
    [run] = [
        one
        for one in story.collector.find("invoke_agent assistant")
        if one.attributes["assent.run.id"] == line["run_id"]
    ]
    assert line["trace_id"] == run.trace_id
    assert line["conversation_id"] == run.attributes["gen_ai.conversation.id"]
    assert line["work_kind"] == "runs.drive"


def test_the_process_names_itself(story: Story) -> None:
    assert story.collector.resource["service.name"] == "assent"
    assert story.collector.resource["service.version"]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("gen_ai.client.token.usage", 14),
        ("gen_ai.client.operation.duration", 8),
        ("gen_ai.client.operation.time_to_first_chunk", 7),
        ("gen_ai.invoke_agent.duration", 5),
        ("gen_ai.execute_tool.duration", 4),
    ],
)
def test_opentelemetrys_own_measurements(story: Story, name: str, count: int) -> None:
    assert sum(one["count"] for one in story.collector.measured[name]) == count


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("assent_runs_total{kind=turn,outcome=completed}", 3),
        ("assent_runs_total{kind=turn,outcome=failed}", 1),
        ("assent_runs_total{kind=decision,outcome=completed}", 1),
        ("assent_run_first_token_seconds_count", 4),
        ("assent_run_wait_seconds_count", 5),
        ("assent_model_calls_total{outcome=stop,provider=generic,purpose=turn}", 4),
        ("assent_model_calls_total{outcome=tool_calls,provider=generic,purpose=turn}", 3),
        ("assent_model_calls_total{outcome=model_credentials,provider=generic,purpose=turn}", 1),
        ("assent_model_tokens_total{kind=cache_read,provider=generic}", 60),
        ("assent_tool_calls_total{edge=chat,effect=read,outcome=ran,tool=bank.listAccounts}", 1),
        ("assent_tool_calls_total{edge=chat,effect=mutate,outcome=proposed,tool=bank.deposit}", 1),
        ("assent_tool_calls_total{edge=chat,effect=mutate,outcome=failed,tool=bank.trouble}", 1),
        ("assent_tool_calls_total{edge=chat,effect=read,outcome=refused,tool=unknown}", 1),
        ("assent_proposals_total{state=applied}", 1),
        ("assent_work_ended_total{kind=runs.drive,outcome=done}", 5),
        ("assent_runs_active", 0),
        ("assent_database_up", 2),
    ],
)
def test_metrics_after_the_story(story: Story, name: str, value: float) -> None:
    assert story.measured.get(name) == value, "\n".join(sorted(story.measured))


async def test_the_frameworks_own_telemetry_stays_off(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where an agent around the process has set a provider for everybody."""
    exported = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exported))
    monkeypatch.setattr("opentelemetry.trace._TRACER_PROVIDER", provider)
    assert get_tracer_provider() is provider
    async with databases.copy() as url, run_server(url, background_work=False) as server:
        client = await server.open_client()
        expect(await client.get("/login", params={"token": QUERY}), 303)
        expect(await client.get("/api/me"), 401)
    assert exported.get_finished_spans() == ()


def test_without_a_collector_no_sdk_is_needed() -> None:
    telemetry = build_telemetry(Settings())
    with telemetry.span("nothing", {}) as span:
        assert not span.is_recording()
