"""The limit on attempts to sign in: one count for all processes, which nobody overshoots."""

import asyncio

import httpx2
import pytest
import pytest_asyncio

from assent.testing import RunningServer
from tests.turn.hashing import CountingHasher
from tests.turn.people import (
    PASSWORD,
    Pair,
    Person,
    Tenant,
    add_person,
    execute,
    expect,
    fetch_value,
    find_tenant,
    number,
)

LIMIT = 10


@pytest_asyncio.fixture(scope="module")
async def tenant(pair: Pair) -> Tenant:
    return await find_tenant(pair.one)


@pytest.fixture(autouse=True)
async def nothing_counted(pair: Pair) -> None:
    await execute(pair.one, "DELETE FROM sign_in_attempts")


@pytest.fixture
async def person(pair: Pair, tenant: Tenant) -> Person:
    return await add_person(pair.one, tenant.id, password=PASSWORD)


async def attempt(
    server: RunningServer, email: str, password: str = "wrong", *, address: str | None = None
) -> httpx2.Response:
    headers = {"x-forwarded-for": address} if address else {}
    async with httpx2.AsyncClient(base_url=server.url, verify=False, timeout=60) as client:
        credentials = {"email": email, "password": password}
        return await client.post("/api/auth/login", json=credentials, headers=headers)


async def attempt_many(server: RunningServer, email: str, times: int) -> list[int]:
    return [(await attempt(server, email)).status_code for _ in range(times)]


async def test_the_eleventh_attempt_has_to_wait(pair: Pair, person: Person) -> None:
    assert await attempt_many(pair.one, person.email, LIMIT) == [401] * LIMIT
    refused = await attempt(pair.one, person.email, PASSWORD)
    assert expect(refused, 429)["code"] == "too_many"
    assert 0 < int(refused.headers["retry-after"]) <= 15 * 60
    assert (await attempt(pair.one, f" {person.email.upper()}")).status_code == 429
    assert (await attempt(pair.one, f"other-{person.email}")).status_code == 401


async def test_unknown_addresses_have_the_same_limit(pair: Pair) -> None:
    email = f"nobody-{number()}@example.com"
    assert await attempt_many(pair.one, email, LIMIT + 1) == [401] * LIMIT + [429]


async def test_both_servers_count_together(pair: Pair, person: Person) -> None:
    assert await attempt_many(pair.one, person.email, 6) == [401] * 6
    assert await attempt_many(pair.other, person.email, 6) == [401] * 4 + [429] * 2
    assert (await attempt(pair.one, person.email)).status_code == 429


@pytest.mark.parametrize("known", [True, False])
async def test_sixty_four_at_once_do_not_overshoot(
    pair: Pair, person: Person, hasher: CountingHasher, known: bool
) -> None:
    email = person.email if known else f"nobody-{number()}@example.com"
    servers = [pair.one, pair.other] * 32
    answers = await asyncio.gather(*(attempt(server, email) for server in servers))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [401] * LIMIT + [429] * (64 - LIMIT)
    assert hasher.verified == LIMIT


async def test_a_new_window_starts_the_count_anew(pair: Pair, person: Person) -> None:
    await attempt_many(pair.one, person.email, LIMIT + 1)
    await execute(pair.one, "UPDATE sign_in_attempts SET window_ends_at = now()")
    assert await attempt_many(pair.one, person.email, LIMIT + 1) == [401] * LIMIT + [429]


async def test_a_success_forgives(pair: Pair, person: Person) -> None:
    await attempt_many(pair.one, person.email, LIMIT - 1)
    assert (await attempt(pair.other, person.email, PASSWORD)).status_code == 200
    assert await attempt_many(pair.one, person.email, LIMIT + 1) == [401] * LIMIT + [429]


async def test_successes_never_use_the_limits_up(pair: Pair, person: Person) -> None:
    """A whole office signs in from one address in the morning."""
    for _ in range(3):
        assert (await attempt(pair.one, person.email, PASSWORD)).status_code == 200
    await attempt(pair.one, person.email)
    assert (await attempt(pair.one, person.email, PASSWORD)).status_code == 200
    counted = "SELECT coalesce(sum(count), 0) FROM sign_in_attempts"
    assert await fetch_value(pair.one, counted) == 2, "the failure, by address and by e-mail"


@pytest.mark.parametrize(
    ("emails", "addresses", "allowed"),
    [
        pytest.param(["victim@example.com"], [f"10.0.0.{n}" for n in range(250)], 200, id="e-mail"),
        pytest.param([f"v{n}@example.com" for n in range(150)], ["10.9.9.9"], 100, id="address"),
    ],
)
async def test_guessing_that_is_spread_out_is_caught(
    pair: Pair, hasher: CountingHasher, emails: list[str], addresses: list[str], allowed: int
) -> None:
    tries = [(email, address) for email in emails for address in addresses]
    async with httpx2.AsyncClient(base_url=pair.one.url, verify=False, timeout=60) as client:
        answers = await asyncio.gather(
            *(
                client.post(
                    "/api/auth/login",
                    json={"email": email, "password": "wrong"},
                    headers={"x-forwarded-for": address},
                )
                for email, address in tries
            )
        )
    assert sum(answer.status_code == 401 for answer in answers) == allowed
    assert hasher.verified == allowed


async def test_the_subject_of_a_count_is_a_hash(pair: Pair, person: Person) -> None:
    await attempt(pair.one, person.email)
    subjects = await fetch_value(pair.one, "SELECT string_agg(subject, '') FROM sign_in_attempts")
    assert len(subjects) == 3 * 32
    assert person.email.encode() not in subjects
