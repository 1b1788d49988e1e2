"""The plugin in docs/plugins.md works: installed as the page says, with the tests that it shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.examples import install, read_files
from tests.contract.source import ROOT

PAGE = ROOT / "docs" / "plugins.md"
LONGEST = 80

SCHEDULE = '''
"""What the page does not show: the schedule does what it says."""

from assent_notes import plugin, remove_old

from assent.plugins.api import Tick
from assent.testing import Databases, run_server

AGE = "UPDATE notes.notes SET created_at = now() - make_interval(days => $1)"
COUNT = "SELECT count(*) FROM notes.notes"


async def test_old_notes_go(databases: Databases) -> None:
    settings = {"notes": {"keep_days": 30}}
    async with (
        databases.copy() as url,
        run_server(url, demo=True, background_work=False, plugin=settings) as server,
    ):
        parts = server.app.state.parts
        async with server.database.transaction() as db:
            tenant_id = await db.fetchval("SELECT id FROM tenants")
            ctx = await parts.procedures.build_service_context(
                db, tenant_id=tenant_id, plugin=plugin
            )
            await db.execute(AGE, 29)
            await remove_old(ctx, Tick(id="one", due_at="now"))
            assert await db.fetchval(COUNT) == 1
            await db.execute(AGE, 31)
            await remove_old(ctx, Tick(id="two", due_at="now"))
            assert await db.fetchval(COUNT) == 0
'''


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the page's files, as an installer would leave it."""
    install(PAGE, tmp_path)
    (tmp_path / "test_schedule.py").write_text(SCHEDULE)
    return tmp_path


def test_the_example_works(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=installed,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert "5 passed" in done.stdout, done.stdout + done.stderr


def test_the_example_is_short() -> None:
    files = read_files(PAGE)
    assert len(files["assent_notes/__init__.py"].splitlines()) <= LONGEST


def test_the_example_keeps_to_the_plugin_api() -> None:
    text = read_files(PAGE)["assent_notes/__init__.py"]
    imports = re.findall(r"^(?:from|import) (assent\S*)(?: import (\w+))?", text, re.MULTILINE)
    assert imports == [("assent.plugins", "api")]
