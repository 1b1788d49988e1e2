"""What is shown of connected programs, and before one is connected. Pure."""

from datetime import datetime
from uuid import UUID

from assent.identity.application import Owner
from assent.identity.oauth.program import RegisteredBy
from assent.identity.user import Rule
from assent.value import Value


class ListedScope(Value):
    rule: Rule
    title: str


class AskedScope(ListedScope):
    """`held`: whether the person has it to give."""

    held: bool


class Consent(Value):
    """What a person is asked. `registered_by` a document: the host is the program's own."""

    client_name: str
    client_host: str
    client_uri: str | None
    registered_by: RegisteredBy
    redirect_host: str
    is_loopback: bool
    scopes: list[AskedScope]
    known_since: datetime | None
    already_allowed: list[Rule]


class Answered(Value):
    """Where the browser goes now."""

    redirect_to: str


class Connection(Value):
    """One person's consent to one program. It ends by itself when nothing renews it."""

    id: UUID
    client_name: str
    client_host: str
    registered_by: RegisteredBy
    user: Owner
    scopes: list[ListedScope]
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
