"""Two servers on one database: what happens on one is told to the pages that follow the other."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from assent.actions import apply as apply_module
from assent.actions.sweep import sweep_tenant
from assent.api import events as events_route
from assent.runs import audience as audience_module
from assent.runs import follower as follower_module
from assent.runs.audience import Audience
from assent.runs.notice import ConversationChanged
from assent.runs.overview.line import ConversationLine
from assent.testing import Client, Databases, RunningServer, run_server
from assent.testing.provider import Scripted, call, end, run_provider, stream, text
from assent.work import listen as listen_module
from assent.work.announce import News
from tests.bank import OUTSIDE
from tests.bank.desk import MANY, add_key, apply, ask_token, decline, load_bank
from tests.bank.outside import open_other_bank
from tests.turn.following import Event, follow
from tests.turn.people import (
    Person,
    add_person,
    add_tenant,
    execute,
    expect,
    fetch,
    find_tenant,
    sign_in,
)
from tests.turn.talk import Talk, wait_until

DECIDING = ("bank.account.read", "bank.account.manage")
SEVERAL = [stream(text("Hello."), end()) for _ in range(4)]
"""An answer, also where the title of an earlier conversation is only now asked for."""


@dataclass(frozen=True, slots=True)
class Apart:
    """`here` things happen; `far` knows of them through the database alone."""

    here: Talk
    far: RunningServer
    there: Client

    @property
    def audience(self) -> Audience:
        return find_audience(self.far)

    async def send(self, conversation_id: str, said: str) -> None:
        url = f"/api/conversations/{conversation_id}/messages"
        expect(await self.here.client.post(url, json={"message": {"text": said}}), 202)

    async def propose(self, client: Client | None = None) -> str:
        """A deposit, proposed over REST."""
        account = await self.here.open_account()
        given = {"accountId": str(account), "amount": 5}
        body = {"tool": "bank.deposit", "input": given}
        made = await (client or self.here.client).post("/api/proposals", json=body)
        return expect(made, 201)["id"]

    async def make_card(self, conversation_id: str) -> str:
        """A deposit, proposed in a conversation."""
        account = await self.here.open_account()
        given = json.dumps({"accountId": str(account), "amount": 5})
        self.here.provider.script(
            stream(call("bank_deposit", given), end("tool_calls")),
            stream(text("Please look at the card."), end()),
        )
        answer = await self.here.say(conversation_id, "Deposit 5")
        return answer.find("data-proposal")[0]["data"]["proposalId"]

    async def add_person(self, *rules: str) -> Person:
        """Somebody who follows far away."""
        person = await add_person(self.far, self.here.tenant.id, rules=rules)
        assert person.client.base_url == self.far.url
        return person


def find_audience(server: RunningServer) -> Audience:
    return server.app.state.parts.studio.audience


@pytest_asyncio.fixture(scope="module")
async def running(databases: Databases) -> AsyncGenerator[Apart]:
    settings: dict[str, Any] = {
        "tool_calls": MANY,
        "demo_pace": 0,
        "ollama_url": "",
        "master_key": "11" * 32,
    }
    async with (
        run_provider() as provider,
        databases.copy() as url,
        run_server(url, loaded=load_bank(), **settings) as one,
        run_server(url, loaded=load_bank(), background_work=False, **settings) as other,
    ):
        tenant = await find_tenant(one)
        draft = {
            "name": "Fake",
            "baseUrl": provider.url,
            "key": "k",
            "defaultModel": "fake",
            "classifier": False,
        }
        expect(await tenant.admin.client.post("/api/admin/integrations", json=draft), 201)
        there = await sign_in(other, tenant.id, tenant.admin.id)
        yield Apart(Talk(one, provider, tenant), other, there)


@pytest_asyncio.fixture
async def apart(running: Apart) -> Apart:
    running.here.provider.clear()
    return running


@pytest_asyncio.fixture
async def looking(apart: Apart, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[None]:
    """Somebody looks all the time, beside the server's own look every few seconds."""
    monkeypatch.setattr(audience_module, "LOOK_SECONDS", 0.05)
    look = asyncio.create_task(apart.audience._look_forever())  # pyright: ignore[reportPrivateUsage]
    yield
    look.cancel()


def hold(until: asyncio.Event, words: str) -> Scripted:
    """An answer that waits, so that a page can be told of the turn before it is over."""
    return Scripted((until, *stream(text(words), end()).steps))


def is_about(event: Event, conversation_id: str) -> bool:
    return conversation_id in (
        event.get("conversation", {}).get("id"),
        event.get("conversationId"),
    )


async def test_it_greets_and_stays(apart: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_route, "HEARTBEAT_SECONDS", 0.05)
    async with follow(apart.there) as following:
        assert following.events == [{"type": "hello"}]
        headers = following.response.headers
        assert headers["content-type"].startswith("text/event-stream")
        assert (headers["cache-control"], headers["x-accel-buffering"]) == ("no-cache", "no")
        await following.until_comment()
        assert following.events == [{"type": "hello"}]


async def test_a_turn_elsewhere_begins_and_ends(apart: Apart) -> None:
    seen = asyncio.Event()
    apart.here.provider.script(hold(seen, "Hello."))
    conversation = await apart.here.open()
    async with follow(apart.there) as following:
        await apart.send(conversation, "Hi")
        await following.until_conversation(conversation, status="running", unread=False)
        seen.set()
        told = await following.until_conversation(conversation, status="idle", unread=True)
        listed = expect(await apart.there.get("/api/conversations"), 200)["items"]
        assert told == next(one for one in listed if one["id"] == conversation)
        url = f"/api/conversations/{conversation}"
        expect(await apart.here.client.post(f"{url}/read", json={}), 200)
        await following.until_conversation(conversation, unread=False)
        expect(await apart.here.client.patch(url, json={"mode": "auto"}), 200)
        await following.until_conversation(conversation, mode="auto")
        expect(await apart.here.client.post(f"{url}/archive"), 200)
        gone = await following.until(lambda event: event["type"] == "conversation.removed")
        assert gone == {"type": "conversation.removed", "conversationId": conversation}


async def test_a_title_is_told(apart: Apart) -> None:
    apart.here.provider.script(stream(text("Hello."), end()), stream(text("Saying hello"), end()))
    made = await apart.here.client.post("/api/conversations", json={})
    conversation = expect(made, 201)["id"]
    async with follow(apart.there) as following:
        await apart.send(conversation, "Hi there")
        await following.until_conversation(conversation, title="Saying hello", titleSource="model")


async def test_a_draft_is_told_of_once_something_is_said(apart: Apart) -> None:
    seen = asyncio.Event()
    apart.here.provider.script(hold(seen, "Hello."))
    async with follow(apart.there) as following:
        conversation = await apart.here.open()
        await apart.send(conversation, "Hi")
        await following.until_conversation(conversation, status="running")
        seen.set()
        await following.until_conversation(conversation, status="idle")
    told = [event for event in following.events if is_about(event, conversation)]
    assert told[0]["conversation"]["status"] == "running"


async def test_a_card_waits_and_is_decided_elsewhere(apart: Apart) -> None:
    conversation = await apart.here.open()
    async with follow(apart.there) as following:
        card = await apart.make_card(conversation)
        told = await following.until_proposal("proposed")
        assert told == {
            "type": "proposal.changed",
            "proposalId": card,
            "conversationId": conversation,
            "state": "proposed",
        }
        await following.until_conversation(conversation, status="waiting")
        seen = asyncio.Event()
        apart.here.provider.script(hold(seen, "Done."))
        await apply(apart.here.client, card)
        await following.until_proposal("applied", card)
        await following.until_conversation(conversation, status="running")
        seen.set()
        await following.until_conversation(conversation, status="idle")


async def test_a_declined_card_is_told_of(apart: Apart) -> None:
    async with follow(apart.there) as following:
        card = await apart.propose()
        told = await following.until_proposal("proposed", card)
        assert told["conversationId"] is None
        await decline(apart.here.client, card)
        await following.until_proposal("declined", card)


async def test_a_card_that_expired_is_told_of_by_the_sweep(apart: Apart) -> None:
    conversation = await apart.here.open()
    card = await apart.make_card(conversation)
    async with follow(apart.there) as following:
        late = "UPDATE proposals SET expires_at = clock_timestamp() WHERE id = $1"
        await execute(apart.here.server, late, UUID(card))
        await sweep_tenant(apart.here.server.app.state.parts.means, apart.here.tenant.id)
        await following.until_proposal("expired", card)
        await following.until_conversation(conversation, status="idle")


async def test_a_fresh_card_that_takes_the_place_of_another_is_told_of(apart: Apart) -> None:
    async with follow(apart.there) as following:
        card = await apart.propose()
        await following.until_proposal("proposed", card)
        token = await ask_token(apart.here.client, card)
        await execute(apart.here.server, "UPDATE bank.accounts SET version = version + 1")
        url = f"/api/proposals/{card}/apply"
        problem = expect(await apart.here.client.post(url, json={"token": token}), 412)
        assert problem["successorId"] != card
        await following.until_proposal("superseded", card)
        await following.until_proposal("proposed", problem["successorId"])


async def test_a_change_outside_is_told_step_by_step(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await apart.here.open_account()
    body = {"tool": "bank.wire", "input": {"accountId": str(account), "amount": 1}}
    async with open_other_bank() as other, follow(apart.there) as following:
        monkeypatch.setenv(OUTSIDE, other.url)
        other.answering.clear()
        card = expect(await apart.here.client.post("/api/proposals", json=body), 201)["id"]
        await following.until_proposal("proposed", card)
        decided = asyncio.create_task(apply(apart.here.client, card))
        await following.until_proposal("applying", card)
        other.answering.set()
        await following.until_proposal("applied", card)
        await decided


async def test_what_the_decider_could_not_announce_is_told_all_the_same(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        """As if the process had ended right after the commit."""

    monkeypatch.setattr(apply_module, "wake_subscribers", die)
    async with follow(apart.there) as following:
        card = await apart.propose()
        await following.until_proposal("proposed", card)
        await apply(apart.here.client, card)
        await following.until_proposal("applied", card)


async def test_others_are_told_of_what_they_may_decide(apart: Apart) -> None:
    decider, bystander = await apart.add_person(*DECIDING), await apart.add_person()
    conversation = await apart.here.open()
    async with follow(decider.client) as deciding, follow(bystander.client) as standing:
        private = await apart.make_card(conversation)
        shared = await apart.propose()
        told = await deciding.until_proposal("proposed")
        assert told["proposalId"] == shared
        await apply(apart.here.client, shared)
        await deciding.until_proposal("applied", shared)
        await mark_end(apart, bystander)
        await standing.until(lambda event: event["type"] == "conversation.removed")
    assert private not in json.dumps(deciding.events)
    assert shared not in json.dumps(standing.events)


async def test_those_whom_an_approval_rule_names_are_told(apart: Apart) -> None:
    """Of each vote, also about a card of a conversation that is not theirs; nobody else is."""
    ann, bob, bystander = [await apart.add_person() for _ in range(3)]
    draft = {
        "title": "Both",
        "tool": "bank.*",
        "needed": 2,
        "userIds": [str(ann.id), str(bob.id)],
    }
    rule = expect(await apart.here.client.post("/api/admin/approval-rules", json=draft), 201)
    conversation = await apart.here.open()
    async with follow(ann.client) as following, follow(bystander.client) as standing:
        card = await apart.make_card(conversation)
        await following.until_proposal("proposed", card)
        await apply(bob.client, card)
        await following.until_proposal("proposed", card)
        await apply(ann.client, card)
        await following.until_proposal("applied", card)
        await mark_end(apart, bystander)
        await standing.until(lambda event: event["type"] == "conversation.removed")
    assert card not in json.dumps(standing.events)
    assert "conversation.changed" not in json.dumps(following.events)
    expect(await apart.here.client.delete(f"/api/admin/approval-rules/{rule['id']}"), 204)


async def test_a_rule_about_who_decides_makes_pages_ask_again(apart: Apart) -> None:
    """Cards that wait already fall under it, for others than before."""
    rules, person = "/api/admin/approval-rules", await apart.add_person()
    draft = {"title": "All", "tool": "bank.*", "userIds": [str(person.id)]}
    async with follow(person.client) as following:
        made = expect(await apart.here.client.post(rules, json=draft), 201)
        await following.until_hello()
        url = f"{rules}/{made['id']}"
        expect(await apart.here.client.patch(url, json={"title": "Every one"}), 200)
        await following.until_hello()
        expect(await apart.here.client.delete(url), 204)
        await following.until_hello()


@pytest.mark.usefixtures("looking")
async def test_a_right_that_was_taken_away_is_gone(apart: Apart) -> None:
    decider = await apart.add_person(*DECIDING)
    async with follow(decider.client) as following:
        shared = await apart.propose()
        await following.until_proposal("proposed", shared)
        await execute(apart.here.server, "DELETE FROM memberships WHERE user_id = $1", decider.id)
        [follower] = [one for one in list_followers(apart) if one.person.id == decider.id]
        await wait_until(lambda: has_no_rules(follower))
        await apply(apart.here.client, shared)
        await mark_end(apart, decider)
        await following.until(lambda event: event["type"] == "conversation.removed")
    assert "applied" not in json.dumps(following.events)


def list_followers(apart: Apart) -> list[follower_module.Follower]:
    return apart.audience._list_followers()  # pyright: ignore[reportPrivateUsage]


async def has_no_rules(follower: follower_module.Follower) -> bool:
    return not follower.person.rules


async def mark_end(apart: Apart, person: Person) -> None:
    """Something of this person's own, which they are told after everything that came before."""
    made = expect(await person.client.post("/api/conversations", json={}), 201)["id"]
    expect(await person.client.post(f"/api/conversations/{made}/archive"), 200)


async def test_nobody_is_told_of_anothers_conversations(apart: Apart) -> None:
    colleague = await add_person(apart.far, apart.here.tenant.id, role="admin")
    stranger = (await add_tenant(apart.far)).admin
    async with follow(colleague.client) as beside, follow(stranger.client) as outside:
        apart.here.provider.script(stream(text("Hello."), end()))
        conversation = await apart.here.open()
        async with follow(apart.there) as own:
            await apart.send(conversation, "Hi")
            await own.until_conversation(conversation, status="idle")
        card = await apart.propose()
        for person, following in ((colleague, beside), (stranger, outside)):
            await mark_end(apart, person)
            await following.until(lambda event: event["type"] == "conversation.removed")
    assert conversation not in json.dumps([beside.events, outside.events])
    assert card in json.dumps(beside.events)
    assert len(outside.events) == 2


@pytest.mark.usefixtures("looking")
@pytest.mark.parametrize(
    "how", ["signs out", "was revoked", "has expired", "was idle", "was let out"]
)
async def test_it_ends_with_the_session(apart: Apart, how: str) -> None:
    person = await apart.add_person()
    async with follow(person.client) as following:
        if how == "signs out":
            expect(await person.client.post("/api/auth/logout"), 204)
        elif how == "was revoked":
            again = await sign_in(apart.here.server, apart.here.tenant.id, person.id)
            expect(await again.post("/api/sessions/revoke-others"), 200)
        elif how == "has expired":
            past = "UPDATE sessions SET expires_at = now() WHERE user_id = $1"
            await execute(apart.here.server, past, person.id)
        elif how == "was idle":
            idle = "UPDATE sessions SET last_seen_at = now() - interval '1 year' WHERE user_id = $1"
            await execute(apart.here.server, idle, person.id)
        else:
            url = f"/api/users/{person.id}"
            expect(await apart.here.client.patch(url, json={"active": False}), 200)
        await following.until_end()


async def test_it_is_for_people_only(apart: Apart) -> None:
    key = await add_key(apart.here.tenant.admin, "*")
    robot = await apart.far.open_client(key=key)
    assert expect(await robot.get("/api/events"), 403)["code"] == "people_only"
    nobody = await apart.far.open_client()
    assert expect(await nobody.get("/api/events"), 401)["code"] == "not_signed_in"


async def test_whoever_could_not_hear_is_greeted_again(apart: Apart) -> None:
    apart.here.provider.script(*SEVERAL)
    conversation = await apart.here.open()
    await wait_until(lambda: both_hear(apart))
    async with follow(apart.there) as following:
        assert await kill_listeners(apart.here.server) == 2
        await following.until_hello()
        await apart.send(conversation, "Hi")
        await following.until_conversation(conversation, status="idle")


async def kill_listeners(server: RunningServer) -> int:
    killed = await fetch(
        server,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        " AND query NOT LIKE '%assent_work%'",
    )
    return len(killed)


async def test_who_cannot_hear_looks(apart: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience_module, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(listen_module, "ECHO_SECONDS", 0.2)
    apart.here.provider.script(*SEVERAL)
    conversation = await apart.here.open()
    listener = apart.audience._listener  # pyright: ignore[reportPrivateUsage]
    with monkeypatch.context() as deaf:
        deaf.setattr(listener, "_hear", lambda *_: None)
        await kill_listeners(apart.here.server)
        await wait_until(lambda: is_deaf(apart))
        async with follow(apart.there) as following:
            await following.until_hello()
            await apart.send(conversation, "Hi")
            await wait_until(lambda: is_unread(apart.there, conversation))
            await following.until_hello()
            card = await apart.propose()
            await following.until_hello()
            assert {event["type"] for event in following.events} == {"hello"}
    async with follow(apart.there) as following:
        await wait_until(lambda: hears(apart))
        await decline(apart.here.client, card)
        await following.until_proposal("declined", card)


async def is_deaf(apart: Apart) -> bool:
    return not await hears(apart)


async def hears(apart: Apart) -> bool:
    return apart.audience._listener.is_hearing  # pyright: ignore[reportPrivateUsage]


async def both_hear(apart: Apart) -> bool:
    audiences = (apart.audience, find_audience(apart.here.server))
    return all(one._listener.is_hearing for one in audiences)  # pyright: ignore[reportPrivateUsage]


async def is_unread(client: Client, conversation: str) -> bool:
    return expect(await client.get(f"/api/conversations/{conversation}"), 200)["unread"]


async def test_a_slow_reader_is_told_to_ask_again(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops reading; what it is owed stays bounded, and in the end it is greeted."""
    monkeypatch.setattr(follower_module, "MOST_UNTOLD", 5)
    person = await apart.add_person()
    async with person.client.stream("GET", "/api/events") as response:
        pieces = response.aiter_text()
        received = await anext(pieces)
        assert '{"type":"hello"}' in received
        [follower] = [one for one in list_followers(apart) if one.person.id == person.id]
        told = 1
        follower.tell(make_large_notice(0))
        while await takes(follower):
            follower.tell(make_large_notice(told))
            told += 1
        for number in range(20):
            follower.tell(make_large_notice(told + number))
            assert count_untold(follower) <= 5
        async with asyncio.timeout(30):
            while received.count('{"type":"hello"}') < 2:
                received += await anext(pieces)
    assert received.count("conversation.changed") < told + 20


def make_large_notice(number: int) -> ConversationChanged:
    now = datetime.now(UTC)
    line = ConversationLine(
        id=UUID(int=number),
        kind="ai",
        title="x" * 200_000,
        title_source="person",
        agent=None,
        integration_id=None,
        model=None,
        mode="approve",
        workspace_id=None,
        active_workspace_id=None,
        created_at=now,
        active_at=now,
        archived_at=None,
        status="idle",
        unread=False,
    )
    return ConversationChanged(conversation=line)


def count_untold(follower: follower_module.Follower) -> int:
    return len(follower._untold)  # pyright: ignore[reportPrivateUsage]


async def takes(follower: follower_module.Follower) -> bool:
    """Whether the response takes what there is: it would have had every opportunity to."""
    for _ in range(100):
        if not count_untold(follower):
            return True
        await asyncio.sleep(0)
    return False


async def test_a_flood_of_news_is_one_greeting(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience_module, "MOST_NEWS", 20)
    async with follow(apart.there) as following:
        for number in range(50):
            news = News(apart.here.tenant.id, "conversation", UUID(int=number))
            apart.audience._hear(news.payload)  # pyright: ignore[reportPrivateUsage]
        await following.until_hello()


async def test_those_who_are_gone_leave_nothing(apart: Apart) -> None:
    assert apart.audience.size == 0
    async with AsyncExitStack() as stack:
        for _ in range(60):
            client = await stack.enter_async_context(
                Client(apart.far.url, cookies=dict(apart.there.cookies))
            )
            await stack.enter_async_context(follow(client))
        assert apart.audience.size == 60
        assert "assent_event_followers 60.0" in await measure(apart.far)
    await wait_until(lambda: is_alone(apart))
    assert "assent_event_followers 0.0" in await measure(apart.far)
    assert apart.audience._followers == {}  # pyright: ignore[reportPrivateUsage]
    await apart.propose()
    assert apart.audience._news == {}  # pyright: ignore[reportPrivateUsage]


async def is_alone(apart: Apart) -> bool:
    return apart.audience.size == 0


async def measure(server: RunningServer) -> str:
    return (await (await server.open_client()).get("/metrics")).text


async def test_a_server_that_ends_ends_them_all(databases: Databases) -> None:
    async with databases.copy() as url:
        async with run_server(url, background_work=False) as server:
            client = Client(server.url, cookies=dict((await server.open_admin()).cookies))
            following = follow(client)
            opened = await following.__aenter__()
        await opened.until_end()
        await following.__aexit__(None, None, None)
        await client.aclose()
