"""What is in deploy/ names commands and settings that exist."""

import re
import shlex
from pathlib import Path

import pytest

from assent.cli import main as command
from assent.settings import PREFIX, Settings
from tests.contract.source import ROOT

FILES = sorted((ROOT / "deploy").iterdir())
KNOWN = {PREFIX + name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_exists(path: Path) -> None:
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]+", path.read_text()))
    assert named <= KNOWN


@pytest.mark.parametrize(
    "path", [one for one in FILES if one.suffix == ".service"], ids=lambda path: path.name
)
def test_units_start_what_there_is(path: Path) -> None:
    [line] = re.findall(r"^ExecStart=(.+)$", path.read_text(), re.MULTILINE)
    program, name, *options = shlex.split(line.replace("%i", "8701"))
    assert program.endswith("/assent")
    started = command.commands[name]
    started.make_context(name, options)
