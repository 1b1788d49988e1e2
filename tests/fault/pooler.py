"""A real PgBouncer in transaction mode, in front of a test's Postgres."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from assent.db.operating_system import choose_account
from tests.fault.ports import find_free_port, wait_for_port

SERVERS = 3
"""Connections that all clients share: few, so that no two messages in a row are safe by chance."""

SETTINGS = """
[databases]
* = host={folder} port={postgres_port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {users}
pool_mode = transaction
default_pool_size = {servers}
max_client_conn = 500
server_round_robin = 1
"""


def find_pgbouncer() -> str:
    found = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        assert "CI" not in os.environ, "PgBouncer is not installed: see scripts/proxies.sh"
        pytest.skip("PgBouncer is not installed: sudo apt-get install pgbouncer")
    return found


@contextmanager
def run_pooler(postgres_url: str) -> Generator[str]:
    """The address of the same database through a pooler that gives each transaction the next of
    a few servers.
    """
    program, there, port = find_pgbouncer(), urlsplit(postgres_url), find_free_port()
    query = parse_qs(there.query)
    with tempfile.TemporaryDirectory() as name:
        users, settings = Path(name) / "users.txt", Path(name) / "pgbouncer.ini"
        users.write_text('"postgres" ""\n')
        settings.write_text(
            SETTINGS.format(
                folder=query["host"][0],
                postgres_port=query.get("port", ["5432"])[0],
                port=port,
                users=users,
                servers=SERVERS,
            )
        )
        with (Path(name) / "log").open("wb") as log:
            command = [*choose_account().prefix, program, str(settings)]
            process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_for_port(port, process)
            yield f"postgresql://postgres@127.0.0.1:{port}{there.path}"
        finally:
            process.terminate()
            process.wait(20)
