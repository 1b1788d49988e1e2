"""A conversation of any length, straight into the database: nobody waits for its answers."""

from uuid import UUID

from assent.conversations.conversation import NewMessage
from assent.conversations.store.messages import insert_message
from assent.ids import new_id
from assent.testing.client import Client
from assent.testing.server import RunningServer

ANSWERS = (
    "Yes. That is all there is to say about number {number}.",
    "## What I found\n\nNumber {number} has **three** parts:\n\n- one that is short\n"
    "- one that goes on for a while, so that it needs more than a single line on most screens that"
    " people use\n- and `one` more\n\nThe rest is as it was.",
    "| system | state |\n|---|---|\n| checkout | fine |\n| search | slow |\n"
    "| number {number} | new |",
    "Run this:\n\n```sh\nassent doctor\nassent audit verify --since {number}\n```\n\n"
    "It says what is wrong, if anything is.",
    "A longer answer, number {number}. "
    + "It has sentences that say little, and many of them. " * 12,
)


async def write_long_chat(
    server: RunningServer, client: Client, count: int
) -> tuple[str, list[str]]:
    """Its id and those of its messages, oldest first; said by whoever is signed in and answered."""
    me = (await client.get("/api/me")).json()
    tenant_id, author = UUID(me["tenant"]["id"]), me["id"]
    chat = (await client.post("/api/conversations", json={})).json()["id"]
    ids: list[str] = []
    async with server.database.transaction() as db:
        for number in range(1, count + 1):
            message = _build(number, author)
            await insert_message(db, tenant_id, UUID(chat), message)
            ids.append(str(message.id))
    answer = await client.patch(f"/api/conversations/{chat}", json={"title": f"{count} messages"})
    answer.raise_for_status()
    return chat, ids


def _build(number: int, author: str) -> NewMessage:
    is_said = number % 2 == 1
    text = (
        f"Question {number}: how does it stand?"
        if is_said
        else ANSWERS[number // 2 % len(ANSWERS)].format(number=number)
    )
    return NewMessage(
        id=new_id(),
        role="user" if is_said else "assistant",
        author=author if is_said else "assistant",
        content=text,
        parts=[{"type": "text", "text": text}],
    )
