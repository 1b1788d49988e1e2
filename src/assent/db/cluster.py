"""The files of a cluster: making it whole or not at all, its version, its owner, its socket folder.

Called by the one process that holds the folder's lock, while no server runs in it.
"""

import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from assent.db.operating_system import (
    Account,
    find_closed_folder,
    find_nobody,
    list_locale_options,
    start_program,
)
from assent.db.postmaster import PORT
from assent.errors import ConfigurationError

# macOS allows 103 bytes for the path of a socket, Linux 107.
LONGEST_SOCKET_PATH = 103
# Postgres and its clients read a comma or a quote in a socket folder as a list of folders.
PLAIN_PATH = re.compile(r"[\w/.@+~=: -]+")


def open_folder(folder: Path, account: Account) -> None:
    """Let an account other than ours pass through the folder, or say who stands in its way."""
    if not account.is_other:
        return
    folder.chmod(0o711)
    closed = find_closed_folder(folder, account)
    if closed is not None:
        raise ConfigurationError(
            "Postgres does not run as root, and user namespaces are forbidden here. As the user "
            f"nobody it cannot reach {folder}, because {closed} is closed to other users. Use a "
            "--data-dir that others may enter, start Assent as another user, or give a "
            "--database-url."
        )


def prepare_cluster(
    data: Path, *, binaries: Path, major: int, account: Account, durable: bool
) -> None:
    """Make the cluster if there is none; refuse one that these programs or this user cannot use."""
    for unfinished in data.parent.glob(f"{data.name}.new*"):
        # Programs of a killed initdb may write a moment longer: the next start gets the rest.
        shutil.rmtree(unfinished, ignore_errors=True)
    if not data.exists() or not any(data.iterdir()):
        options = [*list_locale_options(major), *([] if durable else ["--no-sync"])]
        _make_cluster(data, [binaries / "initdb", *options], account)
    _check_version(data, binaries=binaries, major=major)
    _claim(data, account)


def make_socket_folder(folder: Path, account: Account) -> Path:
    """Make an empty folder for the socket that only this account can enter."""
    sockets = folder / "run"
    if not _fits(sockets):
        name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
        sockets = Path(tempfile.gettempdir()).resolve() / f"assent-{name}"
        _check_private(sockets, account)
    if not _fits(sockets):
        raise ConfigurationError(f"{sockets} is too long a path for a socket.")
    if sockets.exists():
        shutil.rmtree(sockets)
    sockets.mkdir(mode=0o700)
    if account.is_other:
        os.chown(sockets, account.user, account.group)
    return sockets


def _make_cluster(data: Path, command: list[str | Path], account: Account) -> None:
    fresh = Path(tempfile.mkdtemp(prefix=f"{data.name}.new.", dir=data.parent))
    if account.is_other:
        os.chown(fresh, account.user, account.group)
    fixed = ["-D", fresh, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-instructions"]
    initdb = start_program([*command, *fixed], account, subprocess.PIPE)
    try:
        said, _ = initdb.communicate()
    except BaseException:
        initdb.terminate()
        initdb.wait()
        raise
    if initdb.returncode != 0:
        tail = "\n".join(said.decode(errors="replace").splitlines()[-10:])
        raise ConfigurationError(f"No database could be made in {data}:\n{tail}")
    fresh.rename(data)
    _sync_folder(data.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _check_version(data: Path, *, binaries: Path, major: int) -> None:
    try:
        made_by = (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"{data} holds files but no Postgres database. Move them away, or use another "
            "--data-dir."
        ) from error
    if made_by != str(major):
        raise ConfigurationError(
            f"The database in {data} was made by Postgres {made_by}, but the programs in "
            f"{binaries} are Postgres {major}. Set ASSENT_POSTGRES_BINARIES to the programs of "
            f"Postgres {made_by}, or dump the database with them (pg_dumpall) and restore it into "
            "a new --data-dir."
        )


def _claim(data: Path, account: Account) -> None:
    owner = data.stat().st_uid
    if owner == account.user:
        return
    if os.geteuid() != 0 or owner not in (0, find_nobody().user):
        raise ConfigurationError(
            f"The database in {data} belongs to the user with the id {owner}. Start Assent as that "
            "user, or use another --data-dir."
        )
    # Root ran Postgres in a user namespace last time and as nobody now, or the other way round.
    # By descriptor, so that nobody cannot swap a folder for a link to something of root's.
    for _, folders, files, descriptor in os.fwalk(data):
        os.chown(descriptor, account.user, account.group)
        for name in (*folders, *files):
            os.chown(name, account.user, account.group, dir_fd=descriptor, follow_symlinks=False)


def _fits(sockets: Path) -> bool:
    longest = os.fsencode(sockets / f".s.PGSQL.{PORT}")
    plain = PLAIN_PATH.fullmatch(str(sockets)) is not None
    return plain and len(longest) <= LONGEST_SOCKET_PATH


def _check_private(sockets: Path, account: Account) -> None:
    """Refuse a folder that somebody else put there to listen in our place."""
    try:
        found = sockets.lstat()
    except FileNotFoundError:
        return
    ours = found.st_uid in (account.user, os.geteuid())
    if not (ours and stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077):
        raise ConfigurationError(
            f"{sockets} should be a folder that only this user can open, but it is not. Remove it, "
            "or use a shorter --data-dir."
        )
