"""Any sequence of deeds on proposals agrees with a model that fits on a page.

After each step the whole ledger is compared: the state of every card, every audit entry, every
event, every effect, the balance and the budget. Crashes cut an application off at a random place.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from assent.actions.means import Means
from assent.db.database import open_database
from assent.db.migrate import migrate
from assent.errors import Forbidden, TooMany
from assent.main import list_components
from assent.testing import Databases
from assent.tools.tool import ToolValidationError
from tests.bank.desk import load_bank
from tests.store.actions.world import (
    BALANCE,
    ROOM,
    Deed,
    How,
    Kind,
    Outcome,
    Who,
    World,
    build_means,
    open_world,
)

POINTS = (
    "assent.actions.apply.lock",
    "assent.actions.apply.prepare",
    "assent.actions.apply._rehearse",
    "assent.actions.apply._execute",
    "assent.actions.store.close_proposal",
    "assent.actions.ending.record_proposal",
    "assent.actions.apply.end_proposal",
    "assent.actions.apply.wake_subscribers",
)
COMMITTED = "assent.actions.apply.wake_subscribers"

some = st.integers(0, 5)
amounts = st.sampled_from([5, -60, 30])
people: st.SearchStrategy[Who] = st.sampled_from(["owner", "other"])
everybody: st.SearchStrategy[Who] = st.sampled_from(["owner", "other", "application"])
kinds: st.SearchStrategy[Kind] = st.sampled_from(["apply", "decline"])
hows: st.SearchStrategy[How] = st.sampled_from(["cancelled", "cut off"])


@dataclass(eq=False)
class Card:
    id: UUID
    amount: int
    failing: bool
    version: int
    reference: str
    state: str = "proposed"
    expired: bool = False
    altered: bool = False

    @property
    def is_open(self) -> bool:
        return self.state == "proposed" and not self.expired


@dataclass(eq=False)
class Token:
    card: Card
    who: Who
    text: str
    expired: bool = False


@dataclass
class Model:
    """What must be true. Knows nothing of how it comes about."""

    rights: dict[Who, bool] = field(default_factory=lambda: {"owner": True, "other": True})
    owner_active: bool = True
    version: int = 1
    balance: int = BALANCE
    calls: int = 0
    cards: list[Card] = field(default_factory=list[Card])
    tokens: list[Token] = field(default_factory=list[Token])
    statuses: Counter[tuple[UUID | None, str]] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter[str])

    @property
    def is_well(self) -> bool:
        return self.owner_active and all(self.rights.values())

    def may_decide(self, who: Who) -> bool:
        return self.rights.get(who, False) and (who != "owner" or self.owner_active)

    def expect_proposal(self, amount: int, *, failing: bool) -> str:
        """What comes of a call of the owner's; it takes from the budget before all else."""
        if self.calls == ROOM:
            return "refused"
        self.calls += 1
        if not self.rights["owner"]:
            return "refused"
        if not failing and self.balance + amount < 0:
            return "failed"
        return "proposed"

    def expect(self, kind: Kind, who: Who, card: Card, text: str) -> str:
        """What would come of this deed alone."""
        shown = any(
            one.text == text and one.card is card and one.who == who and not one.expired
            for one in self.tokens
        )
        if not (card.is_open and self.may_decide(who) and shown):
            return "refused"
        if kind == "decline":
            return "declined"
        if card.altered or not self.may_decide("owner"):
            return "refused"
        if not card.failing and self.balance + card.amount < 0:
            return "voided"
        if card.version != self.version:
            return "superseded"
        return "failed" if card.failing else "applied"

    def record(self, card: Card, outcome: Outcome) -> None:
        self.statuses[card.id, outcome.state] += 1
        if outcome.state == "refused":
            return
        card.state = outcome.state
        if outcome.state == "applied":
            self.version += 1
            self.balance += card.amount
            self.effects[card.reference] += 1
        if outcome.fresh_id is not None:
            self.add(outcome.fresh_id, card.amount, failing=card.failing, reference=card.reference)

    def add(self, card_id: UUID, amount: int, *, failing: bool, reference: str) -> Card:
        card = Card(card_id, amount, failing, self.version, reference)
        self.cards.append(card)
        self.statuses[card_id, "proposed"] += 1
        return card

    def sweep(self) -> None:
        for card in self.cards:
            if card.state == "proposed" and (card.expired or not self.owner_active):
                self.record(card, Outcome("expired" if card.expired else "voided"))
        self.tokens = [token for token in self.tokens if not token.expired]


class DoorMachine(RuleBasedStateMachine):
    def __init__(self, run: Callable[[Any], Any], means: Means) -> None:
        super().__init__()
        self.run = run
        self.world: World = run(open_world(means))
        self.model = Model()

    def pick(self, nth: int) -> Card:
        """Mostly one that waits, the newest first; sometimes any."""
        waiting = [card for card in self.model.cards if card.is_open]
        cards = waiting if waiting and nth < 4 else self.model.cards
        return cards[-1 - nth % len(cards)]

    @initialize()
    def begin(self) -> None:
        self.propose(5, failing=False)

    def pick_waiting(self, nth: int) -> Card:
        """A card that nothing speaks against; a new one if there is none."""
        model = self.model
        if not any(card.is_open and card.version == model.version for card in model.cards):
            if model.calls == ROOM:
                self.let_a_minute_pass()
            self.propose(5, failing=nth == 1)
        return self.pick(nth)

    @rule(amount=amounts, failing=st.booleans())
    def propose(self, amount: int, failing: bool) -> None:
        model, reference = self.model, f"card {len(self.model.cards)}"
        expected = model.expect_proposal(amount, failing=failing)
        try:
            made = self.run(self.world.propose(amount, failing=failing, reference=reference))
        except (TooMany, Forbidden):
            assert expected == "refused"
            model.statuses[None, "refused"] += 1
        except ToolValidationError:
            assert expected == "failed"
            model.statuses[None, "failed"] += 1
        else:
            assert expected == "proposed"
            model.add(made, amount, failing=failing, reference=reference)

    @rule(nth=some, who=everybody)
    def ask_token(self, nth: int, who: Who) -> None:
        self.ask(self.pick(nth), who)

    def ask(self, card: Card, who: Who) -> str:
        text = self.run(self.world.ask_token(who, card.id))
        assert (text is not None) == (card.is_open and self.model.may_decide(who))
        if text is None:
            self.model.statuses[card.id, "refused"] += 1
            return "none"
        self.model.tokens.append(Token(card, who, text))
        return text

    @rule(nth=some, who=people, kind=kinds)
    def decide(self, nth: int, who: Who, kind: Kind) -> None:
        card = self.pick_waiting(nth)
        self.try_to(kind, who, card, self.ask(card, who))

    @rule(nth=some, who=everybody, kind=kinds, token=some)
    def decide_with_any_token(self, nth: int, who: Who, kind: Kind, token: int) -> None:
        """An old one, one of another card or person, or one that there never was."""
        texts = [*(one.text for one in self.model.tokens), "made up"]
        self.try_to(kind, who, self.pick(nth), texts[-1 - token % len(texts)])

    def try_to(self, kind: Kind, who: Who, card: Card, text: str) -> None:
        expected = self.model.expect(kind, who, card, text)
        outcome = self.run(self.world.decide(Deed(kind, who, card.id, text)))
        assert outcome.state == expected
        self.model.record(card, outcome)

    @rule(nth=some, tries=st.lists(st.tuples(kinds, people), min_size=2, max_size=4))
    def decide_at_once(self, nth: int, tries: list[tuple[Kind, Who]]) -> None:
        """All about one card; whoever wins, it is as if they had been alone."""
        card = self.pick_waiting(nth)
        deeds = [Deed(kind, who, card.id, self.ask(card, who)) for kind, who in tries]
        alone = [self.model.expect(deed.kind, deed.who, card, deed.token) for deed in deeds]
        outcomes = self.run(self.world.decide_at_once(deeds))
        won = [nth for nth, outcome in enumerate(outcomes) if outcome.state != "refused"]
        assert len(won) == int(any(state != "refused" for state in alone))
        assert all(outcomes[nth].state == alone[nth] for nth in won)
        for outcome in outcomes:
            self.model.record(card, outcome)

    @rule(nth=some, who=people, point=st.sampled_from(POINTS), how=hows)
    def crash(self, nth: int, who: Who, point: str, how: How) -> None:
        """Nothing is left of it, not even an entry: nobody knows that it was tried."""
        card = self.pick_waiting(nth)
        deed = Deed("apply", who, card.id, self.ask(card, who))
        if self.model.expect("apply", who, card, deed.token) != "applied":
            return
        self.run(self.world.crash(deed, point, how))
        if point == COMMITTED:
            self.model.record(card, Outcome("applied"))

    @rule(nth=some, who=everybody)
    def resolve(self, nth: int, who: Who) -> None:
        card = self.pick(nth)
        self.run(self.world.resolve(who, card.id))
        self.model.statuses[card.id, "refused"] += 1

    @rule(nth=some, what=st.sampled_from(["card", "tokens", "payload"]))
    def spoil(self, nth: int, what: str) -> None:
        """Let the card or its tokens expire, or alter what is stored."""
        card = self.pick(nth)
        if what == "payload":
            self.run(self.world.alter(card.id))
            card.altered = True
        elif what == "tokens":
            self.run(self.world.expire_tokens(card.id))
            for token in self.model.tokens:
                token.expired = token.expired or token.card is card
        elif card.state == "proposed":
            self.run(self.world.expire(card.id))
            card.expired = True

    @precondition(lambda self: self.model.is_well)
    @rule(who=people)
    def revoke(self, who: Who) -> None:
        self.model.rights[who] = False
        self.run(self.world.set_right(who, held=False))

    @precondition(lambda self: self.model.is_well)
    @rule()
    def leave(self) -> None:
        self.model.owner_active = False
        self.run(self.world.set_active(active=False))

    @precondition(lambda self: not self.model.is_well)
    @rule()
    def give_back(self) -> None:
        self.model.rights = {"owner": True, "other": True}
        self.model.owner_active = True
        self.run(self.world.set_active(active=True))
        for who in self.model.rights:
            self.run(self.world.set_right(who, held=True))

    @rule()
    def drift(self) -> None:
        self.run(self.world.drift())
        self.model.version += 1

    @rule()
    def sweep(self) -> None:
        self.run(self.world.sweep())
        self.model.sweep()

    @precondition(lambda self: self.model.calls >= ROOM)
    @rule()
    def let_a_minute_pass(self) -> None:
        self.run(self.world.let_a_minute_pass())
        self.model.calls = 0

    @invariant()
    def agrees_with_the_database(self) -> None:
        model, ledger = self.model, self.run(self.world.read())
        assert ledger.states == {card.id: card.state for card in model.cards}
        assert ledger.statuses == model.statuses
        assert ledger.decided == Counter(
            (card.id, card.state) for card in model.cards if card.state != "proposed"
        )
        assert ledger.effects == model.effects
        assert set(ledger.effects.values()) <= {1}
        assert ledger.balance == model.balance
        assert ledger.spare_tokens == 0
        assert ledger.calls == model.calls <= ROOM


@pytest.fixture(scope="module")
def runner() -> Generator[asyncio.Runner]:
    with asyncio.Runner() as opened:
        yield opened


@pytest.fixture(scope="module")
def means(databases: Databases, runner: asyncio.Runner) -> Generator[Means]:
    copy = databases.copy()
    url = runner.run(copy.__aenter__())
    database = runner.run(open_database(url, pool_size=10))
    runner.run(migrate(database, list_components(load_bank())))
    yield build_means(database)
    runner.run(database.close())
    runner.run(copy.__aexit__(None, None, None))


def check(
    runner: asyncio.Runner, means: Means, *, examples: int, steps: int, always_the_same: bool
) -> None:
    class Machine(DoorMachine):
        def __init__(self) -> None:
            super().__init__(runner.run, means)

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=always_the_same,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


def test_deeds_agree_with_the_model(runner: asyncio.Runner, means: Means) -> None:
    check(runner, means, examples=30, steps=25, always_the_same=True)


@pytest.mark.deep
def test_many_deeds_agree_with_the_model(runner: asyncio.Runner, means: Means) -> None:
    check(runner, means, examples=400, steps=40, always_the_same=False)
