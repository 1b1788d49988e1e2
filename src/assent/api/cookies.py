"""The session cookie: its name, how it is read and how it is set. Pure."""

from collections.abc import Mapping

from starlette.types import Scope

NAME = "assent_session"
SECURE_NAME = f"__Host-{NAME}"


def is_secure(scope: Scope) -> bool:
    return scope.get("scheme") in ("https", "wss")


def cookie_name(scope: Scope) -> str:
    return SECURE_NAME if is_secure(scope) else NAME


def find_token(cookies: Mapping[str, str], scope: Scope) -> str | None:
    return cookies.get(cookie_name(scope)) or None


def set_session(scope: Scope, token: str, max_age: int) -> str:
    return _cookie(scope, token, max_age)


def clear_session(scope: Scope) -> str:
    return _cookie(scope, "", 0)


def _cookie(scope: Scope, value: str, max_age: int) -> str:
    parts = [f"{cookie_name(scope)}={value}", "Path=/", f"Max-Age={max_age}", "HttpOnly"]
    parts.append("SameSite=Lax")
    if is_secure(scope):
        parts.append("Secure")
    return "; ".join(parts)
