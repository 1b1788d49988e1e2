"""Whether a turn may begin at all, told before anything is stored (SPEC A5, A6)."""

from assent.agents.agent import Agent
from assent.conversations.conversation import Conversation
from assent.db.database import Db
from assent.identity.principal import Principal
from assent.models.cap import Spender
from assent.models.credits import check_chat, check_credits
from assent.models.integration import Wish, choose_model
from assent.models.price import find_price
from assent.models.spend import check_room
from assent.models.store.credits import load_standing
from assent.runs.studio import Studio


async def check_admission(
    db: Db, studio: Studio, person: Principal, conversation: Conversation, agent: Agent
) -> None:
    """Raise where the chat is off, the credits are used up or a spend cap is reached.

    Whether there is room for a call is decided when it is made; this only spares people a turn that
    could not say a word.
    """
    standing = await load_standing(db, person.tenant_id)
    check_chat(standing.allowance)
    wishes = [
        Wish(conversation.integration_id, conversation.model),
        Wish(agent.integration_id, agent.model),
    ]
    chosen = choose_model(wishes, await studio.list_integrations(db, person.tenant_id))
    integration = chosen.integration
    if integration is None:
        return
    if integration.provided:
        price = find_price(integration.prices, chosen.model)
        check_credits(standing, price.currency if price else None)
    if integration.limit is not None:
        spender = Spender(person.tenant_id, integration.id, person.id)
        await check_room(db, spender, integration.limit)
