"""What depends on the platform, as far as it can be said without starting a server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assent.db.operating_system import (
    Account,
    find_closed_folder,
    list_locale_options,
    works_in,
)

STRANGER = Account(user=os.geteuid() + 1, group=os.getegid() + 1)


@pytest.mark.parametrize(
    ("major", "linux", "expected"),
    [
        (18, True, "--locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C.UTF-8"),
        (
            17,
            False,
            "--locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C --lc-ctype=UTF-8",
        ),
        (16, True, "--locale-provider=libc --locale=C.UTF-8"),
        (15, False, "--locale-provider=libc --locale=C --lc-ctype=UTF-8"),
    ],
)
def test_locale_options(major: int, linux: bool, expected: str) -> None:
    assert " ".join(list_locale_options(major, linux=linux)) == expected


def test_the_outermost_closed_folder_is_named(tmp_path: Path) -> None:
    inner = tmp_path / "home" / "data"
    inner.mkdir(parents=True)
    (tmp_path / "home").chmod(0o700)
    inner.chmod(0o700)
    way = [folder for folder in reversed(inner.parents) if not folder.stat().st_mode & 0o001]
    assert find_closed_folder(inner, STRANGER) == way[0]
    assert find_closed_folder(Path("/usr/bin"), STRANGER) is None


def test_a_folder_closed_to_others_is_open_to_its_owner(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    owner = Account(user=os.geteuid(), group=os.getegid())
    assert find_closed_folder(tmp_path, owner) is None


def test_a_living_process_elsewhere_is_not_a_server_of_this_cluster(tmp_path: Path) -> None:
    code = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, cwd="/") as process:
        assert not works_in(process.pid, tmp_path)
    assert not works_in(process.pid, tmp_path)
