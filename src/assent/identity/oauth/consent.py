"""A person's yes or no to a program. Before the yes nothing is kept."""

from collections.abc import Sequence

from assent.db.database import Db
from assent.errors import Invalid
from assent.identity.access import load_granted_rules
from assent.identity.oauth.connection import AskedScope, Consent
from assent.identity.oauth.family import CODE_LIFETIME
from assent.identity.oauth.program import Program
from assent.identity.oauth.programs import check_redirect, find_program
from assent.identity.oauth.redirect import find_place, is_loopback
from assent.identity.oauth.request import DENIED, Ask, Terms, find_fault
from assent.identity.oauth.scopes import (
    describe_scope,
    gather_held,
    is_held,
    keep_held,
)
from assent.identity.oauth.store import connections, families
from assent.identity.oauth.store.families import NewCode
from assent.identity.principal import Principal
from assent.identity.tokens import hash_token, new_token
from assent.ids import new_id


async def describe_consent(db: Db, by: Principal, ask: Ask, terms: Terms) -> Consent:
    program = await _check(db, ask, terms)
    known = await connections.find_known(db, by.tenant_id, by.id, program.client_id)
    held = gather_held(by, await load_granted_rules(db, by))
    return Consent(
        client_name=program.name,
        client_host=program.host,
        client_uri=program.uri,
        registered_by=program.registered_by,
        redirect_host=find_place(ask.redirect_uri),
        is_loopback=is_loopback(ask.redirect_uri),
        scopes=[
            AskedScope(rule=rule, title=describe_scope(rule), held=is_held(held, rule))
            for rule in terms.parse_scopes(ask.scope)
        ],
        known_since=known.since if known else None,
        already_allowed=list(known.scopes) if known else [],
    )


async def allow(db: Db, by: Principal, ask: Ask, terms: Terms, chosen: Sequence[str]) -> str:
    """Keep the consent and return where the browser takes the code."""
    program = await _check(db, ask, terms)
    strange = sorted(set(chosen).difference(terms.parse_scopes(ask.scope)))
    if strange:
        raise Invalid.at("scopes", f"The program has not asked for {strange[0]}.")
    held = gather_held(by, await load_granted_rules(db, by))
    scopes = keep_held(chosen, held)
    if not scopes:
        raise Invalid.at("scopes", "Choose at least one thing that you may do yourself.")
    connection_id = await connections.allow(
        db, by.tenant_id, by.id, program, connection_id=new_id(), scopes=scopes
    )
    code = new_token()
    new = NewCode(
        id=new_id(),
        connection_id=connection_id,
        code_hash=hash_token(code),
        challenge=ask.code_challenge,
        redirect_uri=ask.redirect_uri,
        resource=terms.resource,
        scopes=scopes,
    )
    await families.insert_code(db, by.tenant_id, new, lifetime=CODE_LIFETIME)
    return ask.answer(terms, {"code": code})


async def deny(db: Db, ask: Ask, terms: Terms) -> str:
    """Where the browser takes the no."""
    await _check(db, ask, terms)
    return ask.refuse(terms, DENIED)


async def _check(db: Db, ask: Ask, terms: Terms) -> Program:
    """All that was checked when the request came, once more: a page can be opened by anybody."""
    program = await find_program(db, ask.client_id)
    check_redirect(program, ask.redirect_uri)
    fault = find_fault(ask, terms)
    if fault is not None:
        raise Invalid.at("body", fault.description)
    return program
