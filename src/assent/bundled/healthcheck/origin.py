"""Places as checks name them: `scheme://host:port`, read as strictly as the way out does. Pure."""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from assent.plugins.api import DestinationRefused, build_target, is_origin, parse_origin, parse_url

PlaceScheme: TypeAlias = Literal["tcp", "tls", "dns"]


def find_origin_fault(text: str) -> str | None:
    try:
        write_origin(text)
    except DestinationRefused as error:
        return error.message
    return None


def write_origin(text: str) -> str:
    """The one spelling of a place that is right: an origin, or a web address and no more of it."""
    return parse_origin(text).origin if is_origin(text) else parse_url(text).url


def origin_of(url: str) -> str:
    """The place that a web address is at."""
    return parse_url(url).origin


def build_origin(scheme: PlaceScheme, host: str, port: int) -> str:
    return build_target(scheme, host, port).origin


def _check_address(text: str) -> str:
    try:
        parse_url(text)
    except DestinationRefused as error:
        raise ValueError(error.message) from None
    return text


def _check_host(text: str) -> str:
    try:
        return build_target("tcp", text, 1).host
    except DestinationRefused as error:
        raise ValueError(error.message) from None


WebAddress = Annotated[
    str,
    Field(max_length=2000, json_schema_extra={"format": "uri"}),
    AfterValidator(_check_address),
]
Host = Annotated[str, Field(min_length=1, max_length=253), AfterValidator(_check_host)]
Port = Annotated[int, Field(ge=1, le=65535)]
