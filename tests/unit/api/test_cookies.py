"""The session cookie over http and https."""

import pytest

from assent.api.cookies import clear_session, find_token, set_session

HTTP, HTTPS = {"scheme": "http"}, {"scheme": "https"}


@pytest.mark.parametrize(
    ("scope", "cookie"),
    [
        (HTTP, "assent_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Lax"),
        (HTTPS, "__Host-assent_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"),
    ],
)
def test_set(scope: dict[str, str], cookie: str) -> None:
    assert set_session(scope, "t", 60) == cookie


def test_clear() -> None:
    assert clear_session(HTTP) == "assent_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"


@pytest.mark.parametrize(
    ("scope", "cookies", "token"),
    [
        (HTTP, {"assent_session": "a"}, "a"),
        (HTTP, {"__Host-assent_session": "a"}, None),
        (HTTPS, {"__Host-assent_session": "a"}, "a"),
        (HTTPS, {"assent_session": "a"}, None),
        (HTTP, {"assent_session": ""}, None),
        (HTTP, {}, None),
    ],
)
def test_find(scope: dict[str, str], cookies: dict[str, str], token: str | None) -> None:
    assert find_token(cookies, scope) == token
