"""Protection of every response and every state-changing request, raw streams included.

Outermost but for observation: it works on the request's head, whatever route follows.
"""

from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assent.api.cookies import find_token, is_secure
from assent.api.problems import build_problem
from assent.errors import AssentError, CrossSite, TooLarge, WrongMediaType

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
CSRF_HEADER = "x-assent-csrf"
JSON_LIMIT = 2 * 1024 * 1024
FILES = "/api/files"
FILE_LIMIT = 10 * 1024 * 1024 + 16 * 1024
"""One file, and what surrounds it."""
NEW_COOKIE = "assent.new_cookie"

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "script-src-attr 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
"""Forms are sent by scripts, so none is sent by the browser itself; text never becomes markup."""

OFF = (
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "midi",
    "payment",
    "picture-in-picture",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join([*(f"{name}=()" for name in OFF), "microphone=(self)"]),
}


_SECURITY = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
NO_STORE = (b"cache-control", b"no-store")
ONLY_HTTPS = (b"strict-transport-security", b"max-age=31536000")


class Protect:
    """`shared_paths` look at no cookie: pages of other sites may ask there, without a session."""

    def __init__(
        self, app: ASGIApp, *, public_url: str | None, shared_paths: Collection[str] = ()
    ) -> None:
        self._app = app
        self._public_origin = _origin(public_url) if public_url else None
        self._shared_paths = frozenset(shared_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = guard_response(scope, send)
        limit = FILE_LIMIT if scope["path"] == FILES else JSON_LIMIT
        try:
            if scope["method"] not in SAFE_METHODS:
                if scope["path"] not in self._shared_paths or _has_session(scope, headers):
                    check_same_origin(scope, headers, self._public_origin)
                _check_own_page(scope, headers)
            _check_length(headers, limit)
        except AssentError as error:
            await build_problem(error, scope.get("request_id"))(scope, receive, guarded)
            return
        await self._app(scope, _count_bytes(receive, limit), guarded)


def check_same_origin(scope: Scope, headers: Headers, public_origin: str | None) -> None:
    """Refuse what a browser says comes from another site, with or without a cookie."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise CrossSite
    origin = headers.get("origin")
    if origin is None:
        return
    own = {public_origin, f"{scope['scheme']}://{headers.get('host', '')}".lower()}
    if _origin(origin) not in own:
        raise CrossSite


def _check_own_page(scope: Scope, headers: Headers) -> None:
    """With a session cookie, demand what only our own pages send: the header, and JSON."""
    if not _has_session(scope, headers):
        return
    if headers.get(CSRF_HEADER) != "1":
        raise CrossSite(f"Requests with a session need the header {CSRF_HEADER}: 1.")
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and _media_type(headers) not in _list_media_types(scope["path"]):
        raise WrongMediaType


def _has_session(scope: Scope, headers: Headers) -> bool:
    return find_token(cookie_parser(headers.get("cookie", "")), scope) is not None


def _list_media_types(path: str) -> tuple[str, ...]:
    return ("application/json", "multipart/form-data") if path == FILES else ("application/json",)


def _refuse_length(limit: int) -> TooLarge:
    return TooLarge(f"The request is too large: here {limit // 1024**2} MiB are the most.")


def _check_length(headers: Headers, limit: int) -> None:
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length) > limit:
        raise _refuse_length(limit)


def _count_bytes(receive: Receive, limit: int) -> Receive:
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise _refuse_length(limit)
        return message

    return counted


def guard_response(scope: Scope, send: Send) -> Send:
    """Put the protecting headers, and a rotated session's cookie, on whatever is sent."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = [*message["headers"]]
            present = {name for name, _ in given}
            given += [one for one in _list_headers(scope) if one[0] not in present]
            if NEW_COOKIE in scope:
                given.append((b"set-cookie", scope[NEW_COOKIE].encode("latin-1")))
            message["headers"] = given
        await send(message)

    return guarded


def _list_headers(scope: Scope) -> Iterator[tuple[bytes, bytes]]:
    yield from _SECURITY
    if scope["path"].startswith("/api"):
        yield NO_STORE
    if is_secure(scope):
        yield ONLY_HTTPS


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").split(";")[0].strip().lower()


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower()
