"""Waiting for a decision, as long as whoever asked can be kept waiting."""

import time
from uuid import UUID

from assent.actions.asking.read import find_state
from assent.actions.asking.told import UNDECIDED
from assent.actions.means import Means
from assent.identity.principal import Principal
from assent.work.announce import News
from assent.work.listen import wait_for

SELDOM_SECONDS = 5.0
"""Between two looks at a proposal of which nothing was heard: there may be nobody who tells."""
OFTEN_SECONDS = 1.0
"""The same where nothing can be heard."""


async def wait_for_decision(
    means: Means, principal: Principal, proposal_id: UUID, *, seconds: float
) -> None:
    """Until it was decided, the time is over, or the process is about to end.

    It is attended to before the first look, so that nothing is missed in between.
    """
    hearing = means.hearing
    give_up_at = time.monotonic() + seconds
    with hearing.waiting_for(News(principal.tenant_id, "proposal", proposal_id)) as woken:
        while await find_state(means, principal, proposal_id) in UNDECIDED:
            left = give_up_at - time.monotonic()
            if left <= 0 or hearing.is_closed:
                return
            pause = SELDOM_SECONDS if hearing.is_hearing else OFTEN_SECONDS
            await wait_for(woken, min(left, pause))
            woken.clear()
