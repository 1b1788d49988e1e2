"""What runs in the sandbox, within which limits, and how it ended. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Ending: TypeAlias = Literal["exited", "timed_out", "said_too_much", "took_too_much_memory"]

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory` is of all processes together, and of each; sizes are bytes."""

    seconds: float = 10.0
    cpu_seconds: int = 10
    memory: int = 512 * MEGABYTE
    processes: int = 32
    open_files: int = 64
    disk: int = 64 * MEGABYTE
    file: int = 16 * MEGABYTE
    output: int = 64 * 1024


@dataclass(frozen=True, slots=True)
class File:
    content: bytes
    is_program: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A command and the files of its work folder; nothing else of the machine is in reach."""

    command: tuple[str, ...]
    files: Mapping[str, File] = field(default_factory=dict[str, File])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    stdin: bytes = b""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that was ended by a signal has the exit code 128 and the signal's number."""

    how: Ending
    exit_code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
