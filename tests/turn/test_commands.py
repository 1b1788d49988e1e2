"""The command `assent` as an operator types it: what it prints, what it does, how it ends."""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from uuid import UUID

import pytest
import pytest_asyncio

from assent import __version__
from assent.db.embedded import EmbeddedPostgres
from assent.testing import Client, Databases, RunningServer, run_server
from assent.vault.master_key import new_master_key, write_key_file
from tests.turn.command import Result, assent, start_assent
from tests.turn.people import expect, fetch, fetch_value, find_tenant
from tests.turn.test_plugin import LEDGER, load

KEY = "cd" * 32


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """A folder whose embedded Postgres runs already, so that each command only attaches."""
    folder: Path = tmp_path_factory.mktemp("commands")
    (folder / "assent.toml").write_text('public_url = "https://assent.example/"\ndemo = false\n')
    postgres = EmbeddedPostgres(folder / "data" / "postgres", durable=False)
    postgres.start()
    yield folder
    postgres.stop()


@pytest_asyncio.fixture(scope="module")
async def embedded(place: Path) -> Path:
    migrated = await assent("migrate", "--data-dir", "data", folder=place)
    assert (migrated.code, migrated.output) == (0, "The database is up to date.\n")
    return place


async def here(embedded: Path, *arguments: str) -> Result:
    return await assent(*arguments, "--data-dir", "data", folder=embedded)


async def test_people(embedded: Path) -> None:
    added = await here(
        embedded, "users", "add", "Ada@Example.com", "--name", "Ada", "--role", "admin"
    )
    assert added.code == 0, added.errors
    assert added.output.startswith("https://assent.example/login?reset=")
    made = ("users", "add", "bob@example.com", "--tenant", "second", "--new-tenant")
    assert (await here(embedded, *made)).code == 0

    listed = await here(embedded, "users", "list")
    assert listed.output.splitlines() == [
        "default\tada@example.com\tAda\tadmin\tactive",
        "default\tadmin@localhost\tAdmin\tadmin\tactive",
        "second\tbob@example.com\tbob\toperator\tactive",
    ]
    only, link = await asyncio.gather(
        here(embedded, "users", "list", "--tenant", "second"),
        here(embedded, "users", "reset-link", "ADA@example.com"),
    )
    assert only.output.count("\n") == 1
    assert link.output.startswith("https://assent.example/login?reset=")


async def test_keys(embedded: Path) -> None:
    rules = ("--rule", "catalog.system.read", "--rule", "catalog.group.read")
    made = await here(embedded, "keys", "create", "robot", "--owner", "admin@localhost", *rules)
    assert made.output.startswith("ask_"), made.errors
    listed = await here(embedded, "keys", "list")
    key_id, hint, *rest = listed.output.rstrip("\n").split("\t")
    assert made.output.startswith(hint.rstrip("…"))
    assert made.output.strip() not in listed.output
    assert rest == ["robot", "Admin", "catalog.group.read,catalog.system.read", "live"]
    revoked = await here(embedded, "keys", "revoke", key_id)
    assert (revoked.code, revoked.output) == (0, "Revoked.\n")
    assert (await here(embedded, "keys", "list")).output.endswith("revoked\n")


ADD = ("users", "add", "x@example.com")
CREATE = ("keys", "create", "--owner", "admin@localhost", "--rule")
WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "a taken address": (("users", "add", "admin@localhost"), 1, "address is taken"),
    "no such tenant": ((*ADD, "--tenant", "nowhere"), 1, "no tenant nowhere"),
    "no such role": ((*ADD, "--role", "king"), 1, "no role king"),
    "no address": (("users", "add", "nonsense"), 2, "'nonsense' is not valid"),
    "a name that is too long": ((*ADD, "--name", "x" * 121), 2, "The name"),
    "nobody to reset": (("users", "reset-link", "nobody@example.com"), 1, "nobody@example.com"),
    "a list of no tenant": (("users", "list", "--tenant", "nowhere"), 1, "no tenant nowhere"),
    "no such rule": ((*CREATE, "a.b.read", "x"), 1, "no rule a.b.read"),
    "an empty name": ((*CREATE, "*", " "), 2, "The name"),
    "no owner": (("keys", "create", "x", "--rule", "*"), 2, "--owner"),
    "no such key": (("keys", "revoke", str(UUID(int=0))), 1, "no such key"),
    "no id": (("keys", "revoke", "x"), 2, "not a valid UUID"),
    "no such command": (("frobnicate",), 2, "frobnicate"),
}


async def test_wrong_usage_is_told_in_one_line(embedded: Path) -> None:
    async def run(arguments: tuple[str, ...]) -> Result:
        return await here(embedded, *arguments)

    names = list(WRONG)
    for start in range(0, len(names), 3):
        some = names[start : start + 3]
        results = await asyncio.gather(*(run(WRONG[name][0]) for name in some))
        for name, result in zip(some, results, strict=True):
            _, code, text = WRONG[name]
            assert result.code == code, (name, result)
            assert text in result.errors, (name, result)
            assert result.output == ""


async def test_what_other_programs_are_given(embedded: Path) -> None:
    async def config(*arguments: str, **environment: str) -> Result:
        return await assent("mcp", "config", *arguments, folder=embedded, **environment)

    everything, one, elsewhere, wrong = await asyncio.gather(
        config(),
        config("--client", "vscode", "--key"),
        config("--client", "cursor", "--url", "http://127.0.0.1:9000"),
        config("--url", "nonsense"),
    )
    given = json.loads(everything.output)
    assert list(given) == ["claude-desktop", "claude-code", "vscode", "cursor"]
    assert given["vscode"]["servers"]["assent"]["url"] == "https://assent.example/mcp"
    assert ".vscode/mcp.json" in everything.errors
    vscode = json.loads(one.output)
    assert vscode["servers"]["assent"]["headers"]["Authorization"].startswith("Bearer ${input:")
    assert ".cursor" not in one.errors
    cursor = json.loads(elsewhere.output)
    assert cursor == {"mcpServers": {"assent": {"url": "http://127.0.0.1:9000/mcp"}}}
    assert (wrong.code, wrong.output) == (2, "")
    assert "--url 'nonsense'" in wrong.errors


async def test_version_and_help(tmp_path: Path) -> None:
    version, shown = await asyncio.gather(
        start_assent("version", folder=tmp_path), start_assent("--help", folder=tmp_path)
    )
    assert (version.code, version.output) == (0, f"{__version__}\n")
    assert shown.code == 0
    for command in (
        "serve",
        "worker",
        "migrate",
        "doctor",
        "users",
        "keys",
        "vault",
        "mcp",
        "version",
    ):
        assert command in shown.output


@pytest.mark.parametrize(
    ("toml", "environment", "told"),
    [
        ("", {"DATABASE_URL": "postgresql://nowhere/db"}, "ASSENT_MASTER_KEY"),
        ("", {"DATABASE_URL": "postgresql://nowhere/db", "ASSENT_MASTER_KEY": "short"}, "32 bytes"),
        ("", {"DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:1/db", "ASSENT_MASTER_KEY": KEY},
         "cannot be opened"),
        ("prot = 1", {}, "prot: there is no such setting"),
        ("port = 'x'", {}, "port"),
        ("port = ", {}, "assent.toml cannot be read"),
        ("[plugin.nothing]\nx = 1", {"DATABASE_URL": "postgresql://nowhere/db",
                                     "ASSENT_MASTER_KEY": KEY}, "plugin.nothing"),
    ],
)  # fmt: skip
async def test_settings_that_cannot_work(
    tmp_path: Path, toml: str, environment: dict[str, str], told: str
) -> None:
    if toml:
        (tmp_path / "assent.toml").write_text(toml)
    result = await assent("migrate", folder=tmp_path, **environment)
    assert result.code == 2, result
    assert told in result.errors
    assert "hunter2" not in result.errors
    assert not (tmp_path / ".assent").exists()


async def test_doctor(embedded: Path) -> None:
    well, misspelt = await asyncio.gather(
        here(embedded, "doctor"),
        assent("doctor", "--data-dir", "data", folder=embedded, ASSENT_PROT="1"),
    )
    assert "✓ All migrations are applied." in well.output
    assert "✓ The master key fits this database." in well.output
    assert well.code == (1 if "✗" in well.output else 0)
    assert misspelt.code == 1
    assert "✗ ASSENT_PROT is set" in misspelt.output


@pytest_asyncio.fixture
async def with_key_file(
    databases: Databases, tmp_path: Path
) -> AsyncGenerator[tuple[RunningServer, str, Path]]:
    """A running server whose master key is in a file."""
    path = tmp_path / "master.key"
    write_key_file(path, [new_master_key()])
    async with (
        databases.copy() as url,
        run_server(
            url, loaded=load(), background_work=False, master_key=None, master_key_file=path
        ) as server,
    ):
        yield server, url, path


async def test_a_rotation_reaches_a_running_server(
    with_key_file: tuple[RunningServer, str, Path], tmp_path: Path
) -> None:
    server, url, path = with_key_file
    admin = (await find_tenant(server)).admin.client
    before = await keep(admin, "kept before")
    old = path.read_text().split()
    rotated = await assent(
        "vault", "rotate", folder=tmp_path, DATABASE_URL=url, ASSENT_MASTER_KEY_FILE=str(path)
    )
    assert rotated.code == 0, rotated.errors
    assert rotated.output.endswith("1 sealed anew.\n")
    assert path.read_text().split()[1:] == old
    assert path.stat().st_mode & 0o777 == 0o600
    after = await keep(admin, "kept after")
    assert await reveal(admin, before) == "kept before"
    assert await reveal(admin, after) == "kept after"
    assert len(await fetch(server, "SELECT DISTINCT key_id FROM secrets")) == 1


async def test_a_rotation_with_keys_from_the_environment(
    databases: Databases, tmp_path: Path
) -> None:
    old, new, foreign = KEY, "ef" * 32, "12" * 32
    async with databases.copy() as url:
        async with run_server(url, loaded=load(), background_work=False, master_key=old) as server:
            kept = await keep((await find_tenant(server)).admin.client, "kept")

        async def rotate(key: str, previous: str) -> Result:
            return await assent(
                "vault",
                "rotate",
                folder=tmp_path,
                DATABASE_URL=url,
                ASSENT_MASTER_KEY=key,
                ASSENT_PREVIOUS_MASTER_KEYS=previous,
            )

        refused, alone = await asyncio.gather(rotate(foreign, foreign), rotate(new, ""))
        assert (refused.code, alone.code) == (2, 2)
        assert "ASSENT_PREVIOUS_MASTER_KEYS" in refused.errors
        assert foreign not in refused.errors
        rotated = await rotate(new, old)
        assert (rotated.code, rotated.output.split("; ")[1]) == (0, "1 sealed anew.\n")
        async with run_server(url, loaded=load(), background_work=False, master_key=new) as server:
            admin = (await find_tenant(server)).admin.client
            assert await reveal(admin, kept) == "kept"


async def keep(client: Client, text: str) -> str:
    return expect(await client.post(f"{LEDGER}/secrets", json={"text": text}), 201)["text"]


async def reveal(client: Client, secret_id: str) -> str:
    return expect(await client.get(f"{LEDGER}/secrets/{secret_id}"), 200)["text"]


async def test_what_commands_do_is_audited(databases: Databases, tmp_path: Path) -> None:
    async with (
        databases.copy() as url,
        run_server(url, background_work=False, master_key=KEY) as server,
    ):
        place = {"DATABASE_URL": url, "ASSENT_MASTER_KEY": KEY}
        added = await assent("users", "add", "ada@example.com", folder=tmp_path, **place)
        assert added.code == 0
        token = added.output.strip().partition("reset=")[2]
        client = await server.open_client()
        me = await client.set_password(f"reset={token}", "a long enough password")
        assert "catalog.system.manage" in me["rules"]
        entries = await fetch(
            server,
            "SELECT action, principal_kind, principal_name FROM audit_entries "
            "WHERE edge = 'command'",
        )
        assert entries == [
            {
                "action": "identity.addUser",
                "principal_kind": "service",
                "principal_name": "command line",
            }
        ]
        text = "SELECT count(*) FROM audit_entries a WHERE a::text LIKE '%ada@example.com%'"
        assert await fetch_value(server, text) == 0
