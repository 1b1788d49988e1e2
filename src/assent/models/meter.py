"""A model whose calls count: each has a row in the ledger, and its worst case is held meanwhile.

This is one time of asking: whoever asks again after a failure makes another call.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import timedelta

from assent.errors import ModelError, ModelUnavailable
from assent.ids import new_id
from assent.models.call import Bill, Ended, Figures, NewCall, Occasion, Outcome
from assent.models.cap import Cap, Spender
from assent.models.estimate import BYTES_PER_TOKEN, estimate_request
from assent.models.ledger import Ledger, Opened
from assent.models.model import (
    CallDelta,
    Finished,
    Model,
    ModelEvent,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from assent.models.price import ModelPrice, find_price
from assent.models.retry import Bounded
from assent.models.spend import release, reserve
from assent.models.watch import Watch

LONGEST_CALL = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """On whom and on what a model's calls are counted. Without an integration it is the demo."""

    spender: Spender
    provider: str
    is_demo: bool = False
    provided: bool = False
    cap: Cap | None = None
    prices: Sequence[ModelPrice] = ()
    occasion: Occasion

    def find_bill(self, model: str, figures: Figures) -> Bill | None:
        price = find_price(self.prices, model)
        return Bill(price.cost(figures), price.currency) if price else None


@dataclass(frozen=True, slots=True)
class Metered:
    """A model of which each call is opened in the ledger, and closed by what it took."""

    model: Bounded
    ledger: Ledger
    account: Account
    watch: Watch

    def within(self, seconds: float) -> "Counting":
        return Counting(self.model.within(seconds), self)


@dataclass(frozen=True, slots=True)
class Counting:
    """Asked once."""

    model: Model
    metered: Metered

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Sequence[ModelEvent]]:
        asked = estimate_request(request)
        metered = self.metered
        opened = await metered.watch.reserving(_open(metered, request, asked))
        taken = _Taken(asked)
        try:
            async with aclosing(self.model.stream(request)) as answer:
                async for events in answer:
                    for event in events:
                        taken.count(event)
                    yield events
        except ModelError as error:
            taken.fail(error)
            raise
        except Exception:
            taken.outcome = "failed"
            raise
        finally:
            bill = metered.account.find_bill(request.model, taken.figures)
            await metered.ledger.close(opened, taken.end(bill))


async def _open(metered: Metered, request: ModelRequest, asked: int) -> Opened:
    """Take room under the cap, then credits; the row in the ledger is there with the latter."""
    account = metered.account
    worst = Figures(asked, request.max_tokens)
    call = NewCall(
        id=new_id(),
        tenant_id=account.spender.tenant_id,
        principal_id=account.spender.principal_id,
        integration_id=None if account.is_demo else account.spender.integration_id,
        provider=account.provider,
        model=request.model,
        purpose=request.purpose,
        occasion=account.occasion,
        worst=worst,
        bill=account.find_bill(request.model, worst),
        provided=account.provided,
        lease=LONGEST_CALL,
    )
    database = metered.ledger.database
    if account.cap is None:
        await metered.ledger.open(call)
        return Opened(call, None)
    reservation = await reserve(
        database,
        account.spender,
        account.cap,
        worst_case=worst.tokens,
        purpose=request.purpose,
        lease=LONGEST_CALL,
    )
    try:
        await metered.ledger.open(call)
    except BaseException:
        await release(database, reservation)
        raise
    return Opened(call, reservation)


class _Taken:
    """What a call took: as the provider says, or as far as can be told."""

    def __init__(self, asked: int) -> None:
        self.outcome: Outcome = "cancelled"
        self._asked = asked
        self._said = 0
        self._has_begun = False
        self._usage: Usage | None = None

    def count(self, event: ModelEvent) -> None:
        self._has_begun = True
        if isinstance(event, TextDelta | ReasoningDelta):
            self._said += len(event.text)
        elif isinstance(event, CallDelta):
            self._said += len(event.arguments)
        elif isinstance(event, Usage):
            self._usage = event
        elif isinstance(event, Finished):
            self.outcome = "finished"

    def fail(self, error: ModelError) -> None:
        """What a provider turned away costs nothing, nor does what never got there."""
        self.outcome = "failed"
        was_sent = isinstance(error, ModelUnavailable) and error.was_sent
        if not self._has_begun and not (was_sent and error.__cause__ is not None):
            self._asked = 0

    @property
    def figures(self) -> Figures:
        usage = self._usage
        if usage is None:
            return Figures(self._asked, self._said // BYTES_PER_TOKEN)
        return Figures(
            input=usage.input,
            output=usage.output,
            cache_read=usage.cache_read,
            cache_write=usage.cache_write,
            reasoning=usage.reasoning,
            cleared_tool_uses=usage.cleared_calls,
            cleared_tokens=usage.cleared_input,
        )

    def end(self, bill: Bill | None) -> Ended:
        return Ended(
            outcome=self.outcome,
            figures=self.figures,
            bill=bill,
            estimated=self._usage is None,
        )
