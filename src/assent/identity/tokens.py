"""Random tokens: made once, shown once, stored as a hash."""

import hashlib
import secrets

KEY_PREFIX = "ask_"


def new_token(prefix: str = "") -> str:
    return prefix + secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """A plain hash is enough: the token holds 256 random bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
