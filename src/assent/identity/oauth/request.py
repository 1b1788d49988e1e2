"""What a program asks for in its request to be connected, and what is wrong with it. Pure.

Nothing here is about who the program is: that comes first, and is `program.py` and `redirect.py`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from assent.identity.oauth.program import LONGEST_ID
from assent.identity.oauth.redirect import LONGEST, add_parameters
from assent.identity.oauth.scopes import parse_scopes
from assent.value import Value

LONGEST_STATE = 4096
LONGEST_SCOPE = 8192
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")

Word = Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What this server is called, what it gives access to, and by which rules.

    `offered` are those that programs have a use for; asked for by name, they may have any.
    """

    issuer: str
    known: tuple[str, ...]
    offered: tuple[str, ...]

    def parse_scopes(self, text: str | None) -> tuple[str, ...]:
        """What is asked for; without a word everything that is offered, one by one."""
        return parse_scopes(text, self.known) if text and text.strip() else self.offered

    @property
    def resource(self) -> str:
        return f"{self.issuer}/mcp"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is answered instead: one of OAuth's codes, and a sentence for people."""

    error: str
    description: str


class Ask(Value):
    """The parameters of the request, under the names that they have there."""

    model_config = ConfigDict(alias_generator=None)

    client_id: str = Field(min_length=1, max_length=LONGEST_ID)
    redirect_uri: str = Field(min_length=1, max_length=LONGEST)
    response_type: Word = ""
    response_mode: Word | None = None
    code_challenge: Word = ""
    code_challenge_method: Word = ""
    state: str | None = Field(None, max_length=LONGEST_STATE)
    scope: str | None = Field(None, max_length=LONGEST_SCOPE)
    resource: str | None = Field(None, max_length=LONGEST)

    def answer(self, terms: Terms, parameters: Mapping[str, str]) -> str:
        """Where the browser goes with the answer: always with our name, and with their state."""
        state = {} if self.state is None else {"state": self.state}
        return add_parameters(self.redirect_uri, {**parameters, **state, "iss": terms.issuer})

    def refuse(self, terms: Terms, fault: Fault) -> str:
        told = {"error": fault.error, "error_description": fault.description}
        return self.answer(terms, told)


PASSED_ON = tuple(Ask.model_fields)

DENIED = Fault("access_denied", "The person has not allowed it.")


def find_fault(ask: Ask, terms: Terms) -> Fault | None:
    """The first thing that is wrong."""
    return next(_list_faults(ask, terms), None)


def _list_faults(ask: Ask, terms: Terms) -> Iterator[Fault]:
    if ask.response_type != "code":
        yield Fault("unsupported_response_type", "response_type must be code.")
    if ask.response_mode not in (None, "query"):
        yield Fault("invalid_request", "response_mode must be query.")
    if not ask.code_challenge:
        yield Fault("invalid_request", "code_challenge is missing: PKCE is required.")
    if ask.code_challenge_method != "S256":
        yield Fault("invalid_request", "code_challenge_method must be S256.")
    if not CHALLENGE.fullmatch(ask.code_challenge):
        yield Fault("invalid_request", "code_challenge is not the digest of a verifier.")
    if not is_ours(ask.resource, terms.resource):
        yield Fault("invalid_target", f"resource must be {terms.resource}.")
    if not terms.parse_scopes(ask.scope):
        yield Fault("invalid_scope", "None of the scopes is known here.")


def is_ours(resource: str | None, own: str) -> bool:
    """Who names none means ours; a slash at the end makes no difference."""
    return resource is None or resource.removesuffix("/") == own
