"""Where master keys come from: the environment, a file, or a new file beside the embedded Postgres.

A file is read again when it changes, so that a rotation reaches servers that are running.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from assent.errors import ConfigurationError
from assent.settings import Settings
from assent.vault.keys import KEY_BYTES, KeyRing, MasterKey, parse_key_ring

FILE_NAME = "master.key"


class KeySource:
    """Gives the present ring of keys."""

    def __init__(self, ring: KeyRing | None, path: Path | None) -> None:
        self._ring = ring
        self._path = path
        self._read_at: tuple[int, int] | None = None

    @property
    def path(self) -> Path | None:
        return self._path

    def ring(self) -> KeyRing:
        if self._path is not None:
            self._reread(self._path)
        if self._ring is None:
            raise ConfigurationError("There is no master key.")
        return self._ring

    def _reread(self, path: Path) -> None:
        try:
            state = path.stat()
            stamp = (state.st_mtime_ns, state.st_ino)
            if stamp == self._read_at:
                return
            lines = [line for line in path.read_text().splitlines() if line.strip()]
        except OSError as error:
            raise ConfigurationError(
                f"The master key file {path} cannot be read: {error}"
            ) from error
        if not lines:
            raise ConfigurationError(f"The master key file {path} is empty.")
        self._ring, self._read_at = parse_key_ring(lines), stamp


def open_key_source(settings: Settings) -> KeySource:
    previous = [key.get_secret_value() for key in settings.previous_master_keys]
    if settings.master_key is not None:
        return KeySource(parse_key_ring([settings.master_key.get_secret_value(), *previous]), None)
    if settings.master_key_file is not None:
        return KeySource(None, settings.master_key_file)
    if not settings.embedded:
        raise ConfigurationError(
            "With DATABASE_URL the master key must be given: set ASSENT_MASTER_KEY to 32 bytes in "
            "hex or base64 (for example from `openssl rand -hex 32`) or ASSENT_MASTER_KEY_FILE to "
            "a file that holds it. Keep it safe: without it stored secrets cannot be opened."
        )
    path = settings.data_dir / FILE_NAME
    if not path.exists():
        _create_key_file(path)
    return KeySource(None, path)


def new_master_key() -> MasterKey:
    return MasterKey(secrets.token_bytes(KEY_BYTES))


def write_key_file(path: Path, keys: list[MasterKey]) -> None:
    """Replace the file in one step, readable by its owner only."""
    _write_draft(path, keys).replace(path)


def _create_key_file(path: Path) -> None:
    """Make the first key. Of several processes that start at once, the first one's counts."""
    draft = _write_draft(path, [new_master_key()])
    with suppress(FileExistsError):
        path.hardlink_to(draft)
    draft.unlink()


def _write_draft(path: Path, keys: list[MasterKey]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write("".join(f"{key.encode()}\n" for key in keys))
        file.flush()
        os.fsync(file.fileno())
    return draft
