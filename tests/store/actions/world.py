"""One tenant with an account, two people and an application, and what they can do to a proposal.

Everything goes through the functions that the edges call. `Ledger` is all that the database has to
say about it afterwards.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from unittest.mock import patch
from uuid import UUID

from assent import main
from assent.actions.apply import apply
from assent.actions.budget import Budget
from assent.actions.call import Circumstances, Ran, ToolCall, call_tool
from assent.actions.decide import Decision, decline, issue_token, resolve
from assent.actions.means import Means
from assent.actions.proposal import Place
from assent.actions.sweep import sweep_tenant
from assent.audit.entry import Actor
from assent.db.database import Database
from assent.errors import Changed, Conflict, Expired, Forbidden, NotFound
from assent.identity.authenticate import find_acting, load_person
from assent.identity.first_start import add_tenant
from assent.identity.principal import Principal
from assent.identity.store import roles, users
from assent.identity.user import Membership, Role
from assent.ids import new_id
from assent.settings import Settings
from assent.vault.master_key import open_key_source
from assent.vault.vault import Vault
from tests.bank import MANAGE
from tests.bank.accounts import open_account, touch_account
from tests.bank.desk import load_bank
from tests.patience import PATIENCE

Who: TypeAlias = Literal["owner", "other", "application"]
Kind: TypeAlias = Literal["apply", "decline"]
How: TypeAlias = Literal["cancelled", "cut off"]

ROOM = 6
BALANCE = 100
REFUSED = (Forbidden, NotFound, Conflict, Expired)
MASTER_KEY = "11" * 32

INSERT_APPLICATION = """
INSERT INTO applications (id, tenant_id, owner_id, name, rules) VALUES ($1, $2, $3, 'robot', $4)
"""
SET_RULES = """
UPDATE roles SET rules = $2
WHERE id IN (SELECT role_id FROM memberships WHERE user_id = $1)
"""
CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
"""
LIST_STATES = "SELECT id, state FROM proposals WHERE tenant_id = $1"
LIST_STATUSES = "SELECT proposal_id, status FROM audit_entries WHERE tenant_id = $1"
LIST_DECIDED = """
SELECT payload->>'proposalId' AS id, payload->>'state' AS state FROM outbox
WHERE tenant_id = $1 AND topic = 'proposal.decided'
"""
COUNT_SPARE_TOKENS = """
SELECT count(*) FROM decision_tokens JOIN proposals ON proposals.id = proposal_id
WHERE proposals.tenant_id = $1 AND state <> 'proposed'
"""
COUNT_CALLS = """
SELECT count(*) FROM tool_budget, unnest(taken) AS one
WHERE tenant_id = $1 AND one > clock_timestamp() - interval '60 s'
"""


@dataclass(frozen=True, slots=True)
class Deed:
    kind: Kind
    who: Who
    card_id: UUID
    token: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a deed: the card's state, or `refused`; `fresh_id` is the card's successor."""

    state: str
    fresh_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    states: Mapping[UUID, str]
    statuses: Counter[tuple[UUID | None, str]]
    decided: Counter[tuple[UUID, str]]
    effects: Counter[str]
    balance: int
    spare_tokens: int
    calls: int


class World:
    def __init__(self, means: Means, tenant_id: UUID, account_id: UUID) -> None:
        self.means = means
        self.tenant_id = tenant_id
        self.account_id = account_id
        self.ids: dict[Who, UUID] = {"owner": new_id(), "other": new_id(), "application": new_id()}

    @property
    def database(self) -> Database:
        return self.means.database

    async def propose(self, amount: int, *, failing: bool, reference: str) -> UUID:
        given: dict[str, Any] = {"accountId": str(self.account_id)}
        if failing:
            given |= {"how": "conflict"}
        else:
            given |= {"amount": amount, "reference": reference}
        call = ToolCall(
            name="bank.trouble" if failing else "bank.deposit",
            arguments=given,
            principal=await self.load("owner"),
            place=Place(edge="rest"),
            circumstances=Circumstances(card_asked=True),
        )
        answer = await call_tool(self.means, call)
        assert not isinstance(answer, Ran)
        return answer.proposal.id

    async def ask_token(self, who: Who, card_id: UUID) -> str | None:
        """Nothing when it was refused."""
        try:
            return (await issue_token(self.means, await self.load(who), card_id)).token
        except REFUSED:
            return None

    async def decide(self, deed: Deed) -> Outcome:
        decision = Decision(await self.load(deed.who), deed.card_id, deed.token)
        try:
            if deed.kind == "apply":
                return Outcome((await apply(self.means, decision)).state)
            return Outcome((await decline(self.means, decision, None)).state)
        except Changed as error:
            return Outcome("superseded" if error.successor_id else "voided", error.successor_id)
        except REFUSED:
            return Outcome("refused")

    async def decide_at_once(self, deeds: Sequence[Deed]) -> list[Outcome]:
        return list(await asyncio.gather(*(self.decide(deed) for deed in deeds)))

    async def resolve(self, who: Who, card_id: UUID) -> None:
        """Only what lies outside can be resolved."""
        try:
            person = await self.load(who)
            await resolve(self.means, person, card_id, outcome="applied", note=None)
        except REFUSED:
            return
        raise AssertionError("resolved")

    async def crash(self, deed: Deed, point: str, how: How) -> None:
        """Apply, and have the task or its connection end at this function of ours."""
        module, _, name = point.rpartition(".")
        deciding = asyncio.ensure_future(self.decide(deed))
        function = getattr(__import__(module, fromlist=[name]), name)

        async def crashing(*args: Any, **named: Any) -> Any:
            result = await function(*args, **named)
            if how == "cancelled":
                deciding.cancel()
                await asyncio.sleep(0)
            else:
                await self.execute(CUT_OFF)
            return result

        with patch(point, crashing):
            ended = await asyncio.wait([deciding], timeout=PATIENCE)
        assert ended[0], "still deciding"
        if not deciding.cancelled():
            deciding.exception()

    async def sweep(self) -> None:
        await sweep_tenant(self.means, self.tenant_id)

    async def drift(self) -> None:
        await touch_account(self.database, self.account_id)

    async def set_right(self, who: Who, *, held: bool) -> None:
        await self.execute(SET_RULES, self.ids[who], [MANAGE] if held else [])

    async def set_active(self, *, active: bool) -> None:
        await self.execute("UPDATE users SET active = $2 WHERE id = $1", self.ids["owner"], active)

    async def expire(self, card_id: UUID) -> None:
        shift = "UPDATE proposals SET expires_at = clock_timestamp() WHERE id = $1"
        await self.execute(shift, card_id)

    async def expire_tokens(self, card_id: UUID) -> None:
        shift = "UPDATE decision_tokens SET expires_at = clock_timestamp() WHERE proposal_id = $1"
        await self.execute(shift, card_id)

    async def alter(self, card_id: UUID) -> None:
        await self.execute(
            "UPDATE proposals SET payload = payload || '\\x00' WHERE id = $1", card_id
        )

    async def let_a_minute_pass(self) -> None:
        await self.execute("DELETE FROM tool_budget WHERE tenant_id = $1", self.tenant_id)

    async def read(self) -> Ledger:
        async with self.database.transaction(read_only=True) as db:
            states = await db.fetch(LIST_STATES, self.tenant_id)
            statuses = await db.fetch(LIST_STATUSES, self.tenant_id)
            decided = await db.fetch(LIST_DECIDED, self.tenant_id)
            effects = await db.fetch(
                "SELECT reference FROM bank.effects WHERE tenant_id = $1", self.tenant_id
            )
            return Ledger(
                states={row["id"]: row["state"] for row in states},
                statuses=Counter((row["proposal_id"], row["status"]) for row in statuses),
                decided=Counter((UUID(row["id"]), row["state"]) for row in decided),
                effects=Counter(row["reference"] for row in effects),
                balance=await db.fetchval(
                    "SELECT balance FROM bank.accounts WHERE tenant_id = $1", self.tenant_id
                ),
                spare_tokens=await db.fetchval(COUNT_SPARE_TOKENS, self.tenant_id),
                calls=await db.fetchval(COUNT_CALLS, self.tenant_id),
            )

    async def load(self, who: Who) -> Principal:
        """As an edge would find them at this moment."""
        async with self.database.transaction(read_only=True) as db:
            if who == "application":
                actor = Actor("application", self.ids[who], "robot")
                acting = await find_acting(db, self.tenant_id, actor)
                if acting is not None:
                    return acting.principal
                return Principal(
                    kind="application", id=self.ids[who], tenant_id=self.tenant_id, name="robot"
                )
            return await load_person(
                db,
                tenant_id=self.tenant_id,
                user_id=self.ids[who],
                name=who,
                session_id=new_id(),
            )

    async def execute(self, query: str, *arguments: object) -> None:
        async with self.database.transaction() as db:
            await db.execute(query, *arguments)


def build_means(database: Database) -> Means:
    settings = Settings.model_validate({"master_key": MASTER_KEY})
    means = main.build_means(
        database,
        settings=settings,
        loaded=load_bank(),
        vault=Vault(open_key_source(settings)),
    )
    return Means(
        database=database,
        vault=means.vault,
        procedures=means.procedures,
        loaded=means.loaded,
        budget=Budget(ROOM),
        scrubbing=means.scrubbing,
    )


async def open_world(means: Means) -> World:
    """A tenant of its own, so that examples do not disturb each other."""
    slug = f"world-{new_id().hex[-12:]}"
    async with means.database.transaction() as db:
        tenant = await add_tenant(db, slug=slug, name=slug, known_rules=means.loaded.rules)
    account_id = await open_account(means.database, tenant.id, balance=BALANCE)
    world = World(means, tenant.id, account_id)
    for who in ("owner", "other"):
        await _add_person(world, who)
    await world.execute(
        INSERT_APPLICATION, world.ids["application"], tenant.id, world.ids["owner"], ["*"]
    )
    return world


async def _add_person(world: World, who: Who) -> None:
    tenant_id, user_id = world.tenant_id, world.ids[who]
    role = Role(id=new_id(), slug=who, name=who, rules=[MANAGE], built_in=False, members=0)
    async with world.database.transaction() as db:
        assert await roles.insert_role(db, tenant_id, role)
        email = f"{user_id}@example.com"
        await users.insert_user(db, tenant_id, user_id=user_id, email=email, name=who)
        membership = Membership(role_id=role.id, workspace_id=None)
        await users.replace_memberships(db, tenant_id, user_id, [membership])
