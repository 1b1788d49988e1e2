"""Databases to measure in: made, asked for the server's version, and dropped again."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from assent.errors import ConfigurationError

PREFIX = "assent_bench_"
VERSION = "SHOW server_version"
PATIENCE = 10


@asynccontextmanager
async def open_own_database(url: str) -> AsyncGenerator[str]:
    """A new database on the server that `url` leads to, gone when the body ends."""
    name = f"{PREFIX}{secrets.token_hex(6)}"
    await _ask(url, f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
    finally:
        await _ask(url, f"DROP DATABASE {name} WITH (FORCE)")


async def load_version(url: str) -> str:
    """As the server says it, without what a distribution adds."""
    return (await _ask(url, VERSION)).partition(" ")[0]


async def _ask(url: str, query: str) -> str:
    try:
        connection = await asyncpg.connect(url, timeout=PATIENCE)
        try:
            return str(await connection.fetchval(query))
        finally:
            await connection.close()
    except (OSError, TimeoutError, ValueError, asyncpg.PostgresError) as error:
        raise ConfigurationError(f"The database cannot be used for this: {error}") from error
