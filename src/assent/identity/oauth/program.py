"""A program as it describes itself, at its own address or when it registers. Pure."""

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from assent.errors import ClientRefused, DestinationRefused
from assent.identity.oauth.redirect import find_place, find_redirect_fault
from assent.net.url import parse_url
from assent.value import Value, strip_unstorable

LONGEST_ID = 500
REDIRECTS = 20
LONGEST_NAME = 80
FRESH_AT_LEAST = 5 * 60
FRESH_BY_DEFAULT = 60 * 60
FRESH_AT_MOST = 24 * 60 * 60
"""Seconds for which what a program says about itself is not asked for again."""

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})
_DOTS = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age=\"?([0-9]{1,9})", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")


RegisteredBy: TypeAlias = Literal["document", "registration"]


class Program(Value):
    """What is known of a program. Only a document's host is one that it has shown to be its own."""

    client_id: str
    name: str
    host: str
    uri: str | None
    redirect_uris: list[str]
    registered_by: RegisteredBy


def to_plain_line(text: str, longest: int) -> str:
    """One line of what can be seen."""
    return " ".join(_UNSEEN.sub(" ", strip_unstorable(text)).split())[:longest]


def _plain(value: object) -> object:
    return to_plain_line(value, LONGEST_NAME) if isinstance(value, str) else value


class Metadata(BaseModel):
    """What we read of RFC 7591's client metadata; the rest may say what it likes."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    client_name: Annotated[str, BeforeValidator(_plain)] = ""
    client_uri: str | None = Field(None, max_length=LONGEST_ID)
    redirect_uris: list[str] = Field(min_length=1, max_length=REDIRECTS)
    token_endpoint_auth_method: str | None = None
    grant_types: list[str] = Field(["authorization_code"], max_length=20)
    response_types: list[str] = Field(["code"], max_length=20)


def is_document_id(client_id: str) -> bool:
    """Whether the program is named by an address, where its document is."""
    return client_id.lower().startswith(("https://", "http://"))


def find_document_host(client_id: str) -> str | None:
    """Where the program's document is, if its name says so."""
    try:
        return parse_url(client_id).host if is_document_id(client_id) else None
    except DestinationRefused:
        return None


def check_document_id(client_id: str) -> None:
    """Raise ClientRefused unless a document can be there: https, a path, nothing ambiguous."""
    if len(client_id) > LONGEST_ID:
        raise ClientRefused(f"A program's address has at most {LONGEST_ID} characters.")
    try:
        target = parse_url(client_id)
    except DestinationRefused as error:
        raise ClientRefused(error.message) from None
    if target.scheme == "http" and target.host not in LOOPBACK_HOSTS:
        raise ClientRefused("A program's address begins with https://.")
    path = target.path.partition("?")[0]
    if path == "/" or "#" in client_id or _DOTS.search(path):
        raise ClientRefused("A program's address has a path, without dots in it or a fragment.")


def parse_document(client_id: str, given: object, schemes: Collection[str]) -> Program:
    """Raise ClientRefused with the reason. Redirects that we never use are left out."""
    metadata = _parse_metadata(given)
    own = given.get("client_id") if isinstance(given, Mapping) else None  # pyright: ignore[reportUnknownVariableType,reportUnknownMemberType]
    if own != client_id:
        raise ClientRefused("The program's document names another client_id than its address.")
    if metadata.token_endpoint_auth_method not in (None, "none"):
        raise ClientRefused("Programs have no secret here: token_endpoint_auth_method is none.")
    usable = [uri for uri in metadata.redirect_uris if find_redirect_fault(uri, schemes) is None]
    if not usable:
        raise ClientRefused(
            f"redirect_uris: {find_redirect_fault(metadata.redirect_uris[0], schemes)}"
        )
    host = parse_url(client_id).authority
    return Program(
        client_id=client_id,
        name=metadata.client_name or host,
        host=host,
        uri=_find_web_address(metadata.client_uri),
        redirect_uris=usable,
        registered_by="document",
    )


def parse_registration(client_id: str, given: object, schemes: Collection[str]) -> Program:
    """Raise ClientRefused with the reason; its issue names the field."""
    metadata = _parse_metadata(given)
    for uri in metadata.redirect_uris:
        fault = find_redirect_fault(uri, schemes)
        if fault is not None:
            raise ClientRefused.at("redirect_uris", fault)
    place = find_place(metadata.redirect_uris[0])
    return Program(
        client_id=client_id,
        name=metadata.client_name or place,
        host=place,
        uri=_find_web_address(metadata.client_uri),
        redirect_uris=metadata.redirect_uris,
        registered_by="registration",
    )


def find_freshness(cache_control: str | None) -> int:
    """Seconds, within our bounds whatever the program asks for."""
    asked = _MAX_AGE.search(cache_control or "")
    seconds = int(asked[1]) if asked else FRESH_BY_DEFAULT
    return min(max(seconds, FRESH_AT_LEAST), FRESH_AT_MOST)


def _parse_metadata(given: Any) -> Metadata:
    try:
        metadata = Metadata.model_validate(given, strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = str(first["loc"][0]) if first["loc"] else "document"
        raise ClientRefused.at(field, first["msg"]) from None
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise ClientRefused.at("grant_types", "Programs are connected with an authorization_code.")
    return metadata


def _find_web_address(text: str | None) -> str | None:
    """Shown as a link only where it is one."""
    try:
        return text if text and parse_url(text).scheme == "https" else None
    except DestinationRefused:
        return None
