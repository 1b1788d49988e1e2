"""From an access token to a person, as far as the program that shows it may act for them."""

from assent.db.database import Database
from assent.identity.authenticate import Find, build_person
from assent.identity.oauth.family import ACCESS_PREFIX, find_effective
from assent.identity.oauth.store import connections as store
from assent.identity.principal import Client, Principal, act_through
from assent.identity.store.principals import read_held
from assent.identity.tokens import hash_token


async def authenticate_token(
    database: Database, token: str, resource: str, find: Find = store.find_access
) -> Principal | None:
    """Nobody, unless the token was given for this resource and its person may still act."""
    if not token.startswith(ACCESS_PREFIX):
        return None
    async with database.connection() as db:
        rows = await find(db, hash_token(token))
        if not rows or rows[0]["resource"] != resource:
            return None
        found = rows[0]
        if found["is_stale"]:
            await store.touch(db, found["tenant_id"], found["connection_id"])
    person = build_person(
        found["tenant_id"], found["user_id"], found["name"], read_held(rows), session_id=None
    )
    client = Client(
        id=found["connection_id"],
        name=found["client_name"],
        scopes=find_effective(tuple(found["scopes"]), tuple(found["allowed"])),
        host=found["client_host"],
        verified=found["registered_by"] == "document",
    )
    return act_through(person, client)
