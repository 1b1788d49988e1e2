"""A webhook: where a tenant is told of its turns, and how what is sent is signed. Pure."""

import hashlib
import hmac
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from assent.value import Value

Event: TypeAlias = Literal["chat.message", "conversation.export"]


class Webhook(Value):
    """As admins see it. Its secret never leaves the server."""

    url: str = ""
    has_secret: bool = False
    events: list[Event] = []
    enabled: bool = False
    version: int = 0


class WebhookChange(Value):
    """Takes the place of what was there; a secret that is left out stays."""

    url: Annotated[str, Field(max_length=500, pattern=r"^https?://[^\s]+$")]
    secret: str | None = Field(None, min_length=16, max_length=200)
    events: list[Event] = Field(max_length=2)
    enabled: bool
    expected_version: int | None = None


def sign(secret: str, *, at: int, body: bytes) -> str:
    """`t` is part of what is signed, so that what was sent once cannot be sent again later."""
    told = f"{at}.".encode() + body
    return f"t={at},v1={hmac.new(secret.encode(), told, hashlib.sha256).hexdigest()}"
