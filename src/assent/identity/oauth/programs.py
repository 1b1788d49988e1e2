"""Finding out who a program is: at its own address, through the URL guard, or where it registered.

What is found is kept for a while, faults for a moment. Nothing is fetched within a transaction.
"""

import json
import logging
from collections.abc import Collection
from datetime import timedelta

from assent.db.database import Database, Db
from assent.errors import AssentError, ClientRefused, Conflict
from assent.identity.oauth.program import (
    Program,
    check_document_id,
    find_freshness,
    is_document_id,
    parse_document,
    parse_registration,
)
from assent.identity.oauth.redirect import matches_redirect
from assent.identity.oauth.store import programs as store
from assent.identity.tokens import new_token
from assent.net.exchange import Request, Response
from assent.net.policy import Limits
from assent.net.web import Web

LIMITS = Limits(seconds=5.0, connecting=2.0, head_bytes=8 * 1024, body_bytes=16 * 1024)
FAULT_LIFETIME = timedelta(minutes=1)
REGISTERED_PREFIX = "asc_"
MOST_REGISTERED = 5000
UNKNOWN = "This program is not known here. Begin again in the program."
UNDECLARED = "redirect_uri is none of those that the program has declared."
OUT_OF_REACH = "The program's document could not be fetched."
"""Nothing of what happened on the way: that could tell what there is inside."""

log = logging.getLogger("assent.identity")


async def load_program(
    database: Database, web: Web, client_id: str, schemes: Collection[str]
) -> Program:
    """Raise ClientRefused for what cannot be connected."""
    if not is_document_id(client_id):
        async with database.reading() as db:
            return await find_program(db, client_id)
    check_document_id(client_id)
    async with database.reading() as db:
        found = await store.find_document(db, client_id)
    if found is None or not found.is_fresh:
        return await _look_up(database, web, client_id, schemes)
    if found.program is None:
        raise _refuse(found.fault or OUT_OF_REACH)
    return found.program


async def find_program(db: Db, client_id: str) -> Program:
    """As it was when its request came, without asking anybody; raise ClientRefused."""
    if is_document_id(client_id):
        found = await store.find_document(db, client_id)
        program = found.program if found else None
    else:
        program = await store.find_registration(db, client_id)
    if program is None:
        raise ClientRefused(UNKNOWN, reason="unknown")
    return program


def check_redirect(program: Program, redirect_uri: str) -> None:
    if not any(matches_redirect(one, redirect_uri) for one in program.redirect_uris):
        raise ClientRefused(UNDECLARED, reason="redirect")


async def register_program(database: Database, given: object, schemes: Collection[str]) -> Program:
    """Raise ClientRefused for what cannot be registered."""
    program = parse_registration(new_token(REGISTERED_PREFIX), given, schemes)
    async with database.transaction() as db:
        if not await store.insert_registration(db, program, most=MOST_REGISTERED):
            raise Conflict("No more programs can be registered here for now.")
    return program


async def _look_up(
    database: Database, web: Web, client_id: str, schemes: Collection[str]
) -> Program:
    try:
        response = await web.fetch(
            Request(url=client_id, headers={"accept": "application/json"}), LIMITS
        )
        program = parse_document(client_id, _read_json(response), schemes)
    except AssentError as error:
        log.info("The program %s is refused: %s", client_id, error.message)
        fault = error.message if isinstance(error, ClientRefused) else OUT_OF_REACH
        await _keep(database, client_id, None, fault=fault, fresh=FAULT_LIFETIME)
        raise _refuse(fault) from None
    fresh = timedelta(seconds=find_freshness(response.find_header("cache-control")))
    await _keep(database, client_id, program, fault=None, fresh=fresh)
    return program


async def _keep(
    database: Database,
    client_id: str,
    program: Program | None,
    *,
    fault: str | None,
    fresh: timedelta,
) -> None:
    async with database.transaction() as db:
        await store.keep_document(db, client_id, program=program, fault=fault, fresh=fresh)


def _refuse(fault: str) -> ClientRefused:
    return ClientRefused(fault, reason="unreachable" if fault == OUT_OF_REACH else "description")


def _read_json(response: Response) -> object:
    media_type = (response.find_header("content-type") or "").split(";")[0].strip().lower()
    if response.status != 200:
        raise ClientRefused(OUT_OF_REACH)
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise ClientRefused("The program's document is not JSON.")
    if response.truncated:
        raise ClientRefused("The program's document is too large.")
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError):
        raise ClientRefused("The program's document is not JSON.") from None
