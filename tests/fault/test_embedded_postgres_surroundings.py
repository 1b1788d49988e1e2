"""The embedded Postgres in folders, versions and accounts that do not suit it."""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.db.binaries import find_binaries
from assent.db.embedded import EmbeddedPostgres
from assent.errors import ConfigurationError
from tests.fault.embedded_servers import (
    Servers,
    ask,
    is_alive,
    other_owner,
    read_announced,
    read_note,
    socket_folder,
    wait_until,
    write_note,
)

AS_NORMAL_USER = """
import asyncio, os, sys
from pathlib import Path
import asyncpg
from assent.db.embedded import EmbeddedPostgres

async def ask(url):
    connection = await asyncpg.connect(url)
    print(await connection.fetchval("SELECT current_database()"), flush=True)
    await connection.close()

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(int(sys.argv[2]))
    os.setuid(int(sys.argv[2]))
server = EmbeddedPostgres(Path(sys.argv[1]))
asyncio.run(ask(server.start().url))
server.stop()
"""

NOBODY = pwd.getpwnam("nobody").pw_uid
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


@pytest.fixture
def servers(folder: Path) -> Iterator[Servers]:
    made = Servers(folder)
    yield made
    made.stop()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, which pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="assent-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("name", ["x" * 120, 'a,b "c"'])
def test_a_path_that_no_socket_can_have(tmp_path: Path, name: str, servers: Servers) -> None:
    server, running = servers.start(tmp_path / name)
    sockets = socket_folder(running)
    try:
        assert sockets.parent == Path(tempfile.gettempdir()).resolve()
        assert sockets.stat().st_mode & 0o777 == 0o700
        assert ask(running.url, "SELECT 1") == 1
        server.stop()
        sockets.chmod(0o755)
        with pytest.raises(ConfigurationError, match=f"{sockets} should be a folder that only"):
            servers.start(tmp_path / name)
    finally:
        shutil.rmtree(sockets)


def test_an_odd_but_possible_path(tmp_path: Path, servers: Servers) -> None:
    odd = tmp_path / "ä b=c+d"
    _, running = servers.start(odd)
    assert socket_folder(running) == odd / "run"
    assert ask(running.url, "SELECT 1") == 1


def write_version(folder: Path, major: int) -> Path:
    data = folder / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text(f"{major}\n")
    return data


def test_another_major_version_is_refused(folder: Path, servers: Servers) -> None:
    data = write_version(folder, 16)
    with pytest.raises(ConfigurationError) as caught:
        servers.start()
    assert f"The database in {data} was made by Postgres 16" in caught.value.message
    assert "are Postgres 18" in caught.value.message
    assert "pg_dumpall" in caught.value.message


def test_files_that_are_no_cluster_are_left_alone(folder: Path, servers: Servers) -> None:
    mine = folder / "data" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    with pytest.raises(ConfigurationError, match=r"holds files but no Postgres database"):
        servers.start()
    assert mine.read_text() == "precious"


def test_a_server_that_cannot_start_says_why_and_frees_the_folder(
    folder: Path, servers: Servers
) -> None:
    server, _ = servers.start()
    server.stop()
    settings = folder / "data/postgresql.auto.conf"
    settings.write_text("work_mem = 'plenty'\n")
    with pytest.raises(ConfigurationError, match=r'(?s)did not start.*"work_mem": "plenty"'):
        servers.start()
    settings.write_text("")
    _, running = servers.start()
    assert ask(running.url, "SELECT 1") == 1


def test_a_path_that_cannot_be_a_folder_is_named(tmp_path: Path, servers: Servers) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match=f"{tmp_path}/file"):
        servers.start(tmp_path / "file" / "postgres")


def test_a_thread_that_may_end_early_may_not_start_a_server(folder: Path) -> None:
    caught: list[BaseException] = []

    def begin() -> None:
        try:
            EmbeddedPostgres(folder).start()
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    assert "main one" in str(caught[0])
    assert not folder.exists()


def test_a_normal_user_can_run_it(open_folder: Path) -> None:
    user = NOBODY if os.geteuid() == 0 else os.geteuid()
    os.chown(open_folder, user, -1)
    command = [sys.executable, "-c", AS_NORMAL_USER, str(open_folder / "postgres"), str(user)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("assent\n", 0), done.stderr
    assert (open_folder / "postgres/data").stat().st_uid == user


@pytest.fixture
def no_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A system whose `unshare` is not allowed to make user namespaces."""
    refusing = tmp_path / "refusing" / "unshare"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{refusing.parent}:{os.environ['PATH']}")
    return monkeypatch


@needs_root
def test_without_namespaces_root_runs_it_as_nobody_from_a_copy(
    tmp_path: Path, open_folder: Path, no_namespaces: pytest.MonkeyPatch, servers: Servers
) -> None:
    package = find_binaries(None).parent.parent
    closed = tmp_path / "closed"
    for part in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(part, closed / part.name, ignore=shutil.ignore_patterns("include"))
    folder = open_folder / "postgres"
    server, running = servers.start(folder, binaries=closed / package.name / "pginstall")
    assert Path(f"/proc/{running.pid}").stat().st_uid == NOBODY
    assert Path(f"/proc/{running.pid}/exe").readlink().is_relative_to(folder / "programs")
    for private in (folder / "data", folder / "run"):
        assert (private.stat().st_uid, private.stat().st_mode & 0o777) == (NOBODY, 0o700)
    write_note(running.url)
    server.stop()

    no_namespaces.undo()
    server, again = servers.start(folder)
    assert (folder / "data").stat().st_uid == (folder / "data/base").stat().st_uid == 0
    assert read_note(again.url) == "kept"


@needs_root
@pytest.mark.usefixtures("no_namespaces")
def test_nobody_dies_with_its_owner(open_folder: Path) -> None:
    with other_owner(open_folder / "postgres") as owner:
        running = read_announced(owner)
        assert Path(f"/proc/{running.pid}").stat().st_uid == NOBODY
    wait_until(lambda: not is_alive(running.pid))


@needs_root
@pytest.mark.usefixtures("no_namespaces")
def test_a_folder_that_nobody_cannot_reach_is_named(tmp_path: Path, servers: Servers) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    with pytest.raises(ConfigurationError, match=r"As the user nobody it cannot reach") as caught:
        servers.start(home / "postgres")
    outermost = next(way for way in reversed(home.parents) if not way.stat().st_mode & 0o001)
    assert f"because {outermost} is closed" in caught.value.message


@needs_root
def test_a_cluster_of_another_user_is_not_taken(folder: Path, servers: Servers) -> None:
    data = write_version(folder, 18)
    os.chown(data, 12345, -1)
    with pytest.raises(ConfigurationError, match=r"belongs to the user with the id 12345"):
        servers.start()
    assert data.stat().st_uid == 12345
