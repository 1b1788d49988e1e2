"""How a Postgres program is run: what depends on Linux or macOS, and on being root or not.

Postgres refuses to run as root. For root it therefore runs in a user namespace that shows root's
own files as those of `nobody`, or, where such namespaces are forbidden, as the real `nobody`.
And how many files a process may have open: each connection is one of them. No other module of this
folder looks at the platform. Knows nothing of clusters.
"""

import ctypes
import os
import pwd
import resource
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from assent.errors import ConfigurationError

IS_LINUX = sys.platform == "linux"
DIES_WITH_OWNER = IS_LINUX
USER_NAMESPACE = ("unshare", "-U", "--map-user=65534", "--map-group=65534")
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR", "TZ")
FIRST_WITH_BUILTIN_LOCALES = 17
PR_SET_PDEATHSIG = 1
MACOS_FILES = 10_240
"""macOS takes no more than this, whatever it says."""


@dataclass(frozen=True, slots=True)
class Account:
    """Whose files Postgres owns, and what stands before its command line to get there."""

    user: int
    group: int
    prefix: tuple[str, ...] = ()

    @property
    def is_other(self) -> bool:
        return self.user != os.geteuid()


def choose_account() -> Account:
    user, group = os.geteuid(), os.getegid()
    if user != 0:
        return Account(user, group)
    if _user_namespaces_work():
        return Account(user, group, prefix=USER_NAMESPACE)
    return find_nobody()


def find_nobody() -> Account:
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError as error:
        raise ConfigurationError(
            "Postgres does not run as root, user namespaces are forbidden here and there is no "
            "user nobody. Start Assent as another user, or give a --database-url."
        ) from error
    return Account(nobody.pw_uid, nobody.pw_gid)


def find_closed_folder(path: Path, account: Account) -> Path | None:
    """Return the outermost folder on the way to `path` that this account may not enter."""
    for folder in (*reversed(path.parents), path):
        found = folder.stat()
        allowed = stat.S_IXUSR if found.st_uid == account.user else stat.S_IXOTH
        if not found.st_mode & allowed:
            return folder
    return None


def start_program(
    command: Sequence[str | Path], account: Account, output: int | IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start a program that gets none of our secrets and no Ctrl-C, and dies when we die.

    On Linux this must be called from the main thread: the kernel ties the program to the life of
    the thread that started it, not to that of the process.
    """
    return subprocess.Popen(  # noqa: S603 - only programs of Postgres, never through a shell
        [*account.prefix, *command],
        cwd="/",
        env={name: os.environ[name] for name in PASSED_ON if name in os.environ} | {"LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        user=account.user if account.is_other else None,
        group=account.group if account.is_other else None,
        extra_groups=[] if account.is_other else None,
        preexec_fn=build_tie(os.getpid(), signal.SIGINT),
    )


def works_in(pid: int, folder: Path) -> bool:
    """Whether this process lives and is a server of the cluster in `folder`, not a pid reused."""
    if IS_LINUX:
        try:
            return Path(f"/proc/{pid}/cwd").samefile(folder)
        except OSError:
            return False
    listed = subprocess.run(  # noqa: S603
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"postgres -D {folder} " in listed.stdout


def list_locale_options(major: int, *, linux: bool = IS_LINUX) -> list[str]:
    """The options of `initdb` for byte order and Unicode letters; macOS 14 knows no C.UTF-8."""
    libc = ["--locale=C.UTF-8"] if linux else ["--locale=C", "--lc-ctype=UTF-8"]
    if major < FIRST_WITH_BUILTIN_LOCALES:
        return ["--locale-provider=libc", *libc]
    return ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", *libc]


def build_tie(owner: int, number: signal.Signals) -> Callable[[], None] | None:
    """What a new process does first so that it gets this signal when its owner dies, if it can."""
    if not DIES_WITH_OWNER:
        return None
    prctl = ctypes.CDLL(None).prctl
    last_word = ctypes.c_ulong(number)

    def tie() -> None:
        prctl(PR_SET_PDEATHSIG, last_word)
        if os.getppid() != owner:
            os._exit(1)

    return tie


def _user_namespaces_work() -> bool:
    try:
        tried = subprocess.run(  # noqa: S603
            [*USER_NAMESPACE, "true"], capture_output=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def raise_open_files() -> None:
    """Allow as many as may be, here and in what is started from now on."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, MACOS_FILES):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (ValueError, OSError):
            continue
        return


def find_open_files() -> int:
    """How many files and sockets a process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
