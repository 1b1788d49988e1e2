"""The embedded Postgres and its owner against kills, leftovers and each other: real, durable."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from assent.db import embedded, operating_system
from assent.db.embedded import EmbeddedPostgres, Running
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cluster for all tests that leave it whole, because making one takes the longest."""
    return tmp_path_factory.mktemp("shared") / "postgres"


@pytest.fixture
def new_folder(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


@pytest.fixture
def servers(folder: Path) -> Iterator[Servers]:
    made = Servers(folder)
    yield made
    made.stop()


def test_cold_start_then_warm_restart_keeps_data(new_folder: Path, servers: Servers) -> None:
    server, running = servers.start(new_folder)
    assert running.owned
    assert running.url == f"postgresql://postgres@/assent?host={new_folder}/run&port=5432"
    assert (new_folder / "server.lock").read_text() == str(os.getpid())
    for private in (new_folder, new_folder / "run", new_folder / "data"):
        assert private.stat().st_mode & 0o777 == 0o700
    write_note(running.url)
    server.stop()
    server.stop()
    assert not is_alive(running.pid)

    _, again = servers.start(new_folder)
    assert again.pid != running.pid
    assert read_note(again.url) == "kept"


def test_the_server_is_durable_local_and_out_of_reach_of_ctrl_c(servers: Servers) -> None:
    _, running = servers.start()
    expected = {
        "max_connections": "100",
        "shared_buffers": "128MB",
        "fsync": "on",
        "synchronous_commit": "on",
        "listen_addresses": "",
    }
    assert {name: ask(running.url, f"SHOW {name}") for name in expected} == expected
    assert ask(running.url, "SELECT upper('äé')") == "ÄÉ"
    assert os.getsid(running.pid) == running.pid != os.getsid(0)


async def test_a_fast_server_for_tests_starts_beside_a_running_loop(servers: Servers) -> None:
    server, running = servers.start(durable=False)
    assert server.start() == running
    assert ask(running.url, "SHOW fsync") == "off"


def test_a_large_log_is_put_aside(
    folder: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _ = servers.start()
    server.stop()
    monkeypatch.setattr(embedded, "LARGEST_LOG", 1)
    servers.start()
    assert "database system is shut down" in (folder / "server.log.1").read_text()
    assert "database system is shut down" not in (folder / "server.log").read_text()


def test_kill_of_the_owner_loses_nothing_that_was_committed(folder: Path, servers: Servers) -> None:
    with other_owner(folder) as owner:
        killed = read_announced(owner)
        write_note(killed.url)
    _, running = servers.start()
    assert running.owned
    assert running.pid != killed.pid
    assert not is_alive(killed.pid)
    assert read_note(running.url) == "kept"


def test_kill_of_the_owner_ends_the_server(folder: Path) -> None:
    with other_owner(folder) as owner:
        killed = read_announced(owner)
        before = (folder / "server.log").read_text()
    wait_until(lambda: not is_alive(killed.pid))
    said = (folder / "server.log").read_text().removeprefix(before)
    assert "received fast shutdown request" in said
    assert "database system is shut down" in said


def test_kill_of_the_server_loses_nothing_that_was_committed(servers: Servers) -> None:
    server, killed = servers.start()
    write_note(killed.url)
    os.kill(killed.pid, signal.SIGKILL)
    server.stop()
    _, running = servers.start()
    assert read_note(running.url) == "kept"


def test_a_server_that_survives_its_owner_does_not_hold_the_lock(
    folder: Path, servers: Servers
) -> None:
    with other_owner(folder) as owner:
        survivor = read_announced(owner)
        os.kill(survivor.pid, signal.SIGSTOP)
    assert is_alive(survivor.pid)
    waking = threading.Timer(0.3, os.kill, (survivor.pid, signal.SIGCONT))
    waking.start()
    _, running = servers.start()
    waking.join()
    assert running.owned
    assert not is_alive(survivor.pid)
    assert ask(running.url, "SELECT 1") == 1


def test_where_servers_survive_their_owner_they_are_adopted(
    folder: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (embedded, operating_system):
        monkeypatch.setattr(module, "DIES_WITH_OWNER", False)
    with other_owner(folder, "survives") as owner:
        orphan = read_announced(owner)
        write_note(orphan.url)
    server, adopted = servers.start()
    assert adopted == orphan
    assert read_note(adopted.url) == "kept"
    server.stop()
    assert not is_alive(orphan.pid)


def test_where_servers_die_with_their_owner_none_is_adopted(folder: Path, servers: Servers) -> None:
    with other_owner(folder, "survives") as owner:
        orphan = read_announced(owner)
        write_note(orphan.url)
    _, running = servers.start()
    assert running.pid != orphan.pid
    assert not is_alive(orphan.pid)
    assert read_note(running.url) == "kept"


def test_a_survivor_with_other_settings_is_replaced(
    folder: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (embedded, operating_system):
        monkeypatch.setattr(module, "DIES_WITH_OWNER", False)
    with other_owner(folder, "survives") as owner:
        orphan = read_announced(owner)
    _, running = servers.start(durable=False)
    assert running.pid != orphan.pid
    assert not is_alive(orphan.pid)
    assert ask(running.url, "SHOW fsync") == "off"


def test_a_second_owner_is_refused(folder: Path, servers: Servers) -> None:
    with other_owner(folder) as owner:
        running = read_announced(owner)
        refused = EmbeddedPostgres(folder)
        with pytest.raises(ConfigurationError) as caught:
            refused.start()
        refused.stop()
        assert caught.value.message == (
            f"Another Assent server (process {owner.pid}) already uses {folder}. Stop it, or give "
            "this one its own --data-dir or a --database-url."
        )
        assert ask(running.url, "SELECT 1") == 1


def test_attaching_leaves_the_server_to_its_owner(folder: Path, servers: Servers) -> None:
    with other_owner(folder) as owner:
        owned = read_announced(owner)
        guest, attached = servers.start(attach=True)
        assert attached == Running(owned.url, owned.pid, owned=False)
        guest.stop()
        assert is_alive(owned.pid)
        assert ask(attached.url, "SELECT 1") == 1


def test_attaching_waits_for_an_owner_that_is_just_starting(
    new_folder: Path, servers: Servers
) -> None:
    with other_owner(new_folder) as owner:
        wait_until(lambda: list(new_folder.glob("data.new*")))
        _, attached = servers.start(new_folder, attach=True)
        assert not attached.owned
        assert ask(attached.url, "SELECT current_database()") == "assent"
        assert read_announced(owner).pid == attached.pid


def test_attaching_to_nobody_makes_an_owner(servers: Servers) -> None:
    server, running = servers.start(attach=True)
    assert running.owned
    server.stop()
    assert not is_alive(running.pid)


def test_attaching_to_a_silent_owner_gives_up(
    folder: Path, servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "ATTACH_PATIENCE", 0.2)
    owner, running = servers.start()
    socket_folder(running).joinpath(".s.PGSQL.5432").unlink()
    with pytest.raises(ConfigurationError, match=r"its Postgres does not answer"):
        servers.start(attach=True)
    owner.stop()


def test_a_half_made_cluster_is_made_anew(new_folder: Path, servers: Servers) -> None:
    with other_owner(new_folder):
        wait_until(lambda: list(new_folder.glob("data.new*/PG_VERSION")))
    assert not (new_folder / "data").exists()
    _, running = servers.start(new_folder)
    assert ask(running.url, "SELECT 1") == 1


def test_what_a_half_made_cluster_left_is_removed(folder: Path, servers: Servers) -> None:
    left = folder / "data.new.left" / "base"
    left.mkdir(parents=True)
    servers.start()
    assert not left.parent.exists()


def test_a_dropped_database_is_made_again(servers: Servers) -> None:
    server, running = servers.start()
    ask(running.url.replace("/assent?", "/postgres?"), "DROP DATABASE assent")
    server.stop()
    _, again = servers.start()
    assert ask(again.url, "SELECT current_database()") == "assent"


def test_pids_left_by_a_crash_and_reused_since_do_not_block(folder: Path, servers: Servers) -> None:
    server, running = servers.start()
    left = {
        path: path.read_text()
        for path in (folder / "data/postmaster.pid", folder / "run/.s.PGSQL.5432.lock")
    }
    server.stop()
    with subprocess.Popen(["sleep", "600"]) as foreign:
        for path, text in left.items():
            path.write_text(text.replace(str(running.pid), str(foreign.pid), 1))
        server, again = servers.start()
        assert ask(again.url, "SELECT 1") == 1
        server.stop()
        assert foreign.poll() is None
        foreign.kill()
