"""The documentation names what exists, its links lead somewhere, and nothing tells of a machine."""

import json
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from assent import __version__
from assent.cli import main as command
from assent.plugins.load import Loaded
from tests.contract.source import ROOT

PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
DOCS = (
    "access.md",
    "anomalies.md",
    "audit.md",
    "bench.md",
    "catalog.md",
    "chat.md",
    "command.md",
    "failures.md",
    "healthcheck.md",
    "grounding.md",
    "http.md",
    "incidents.md",
    "maintenance.md",
    "mcp.md",
    "network.md",
    "observe.md",
    "operate.md",
    "plugins.md",
    "proposals.md",
    "runs.md",
    "scale.md",
    "settings.md",
    "slo.md",
    "tools.md",
    "usage.md",
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)

REGISTRIES = re.compile(
    r"\b(registry\.npmjs|registry\.yarnpkg|files\.pythonhosted|pypi\.python|test\.pypi|pypi)\.org\b"
    r"|\b(artifactory|nexus|devpi|verdaccio|pypi|npm|registry)[\w-]*(\.[\w-]+)+/"
    r"|/simple[/]|\bindex[-]url\b",
    re.IGNORECASE,
)
MACHINES = re.compile(r"(?<![\w.:/])/(home|Users|root)/[\w.-]+")


@cache
def list_files() -> list[Path]:
    """Everything that is, or would be, committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    return [path for name in listed.stdout.split("\0") if (path := ROOT / name).is_file()]


def list_pages() -> list[Path]:
    return [*(ROOT / name for name in PAGES), *sorted((ROOT / "docs").rglob("*.md"))]


def read_text(path: Path) -> str:
    return path.read_bytes().decode(errors="replace")


def find_anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("name", [*PAGES, *(f"docs/{name}" for name in DOCS)])
def test_exists(name: str) -> None:
    assert len((ROOT / name).read_text()) > 200


@pytest.mark.parametrize("page", list_pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    broken: list[str] = []
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if "://" in target or target.startswith("mailto:"):
            continue
        address, _, anchor = target.partition("#")
        file = (page.parent / address).resolve() if address else page
        if not file.exists() or (anchor and anchor not in find_anchors(file.read_text())):
            broken.append(target)
    assert broken == []


def test_the_changelog_knows_this_version() -> None:
    headings = re.findall(r"^## \[?([\w.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert __version__ in headings


def test_every_dependency_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [project["dependencies"], *project["optional-dependencies"].values()]
    names = [re.split(r"[<>=\[;]", one)[0].strip() for group in wanted for one in group]
    explained = (ROOT / "ARCHITECTURE.md").read_text().lower()
    assert [name for name in names if name not in explained] == []


def test_every_tool_is_explained(loaded: Loaded) -> None:
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    assert [name for name in loaded.tools.by_name if f"| `{name}` |" not in pages] == []


def test_every_rule_is_explained(loaded: Loaded) -> None:
    text = (ROOT / "docs" / "access.md").read_text()
    listed = re.findall(r"^\| `([a-z]+\.[a-z]+\.(?:read|manage))` \| \S", text, re.MULTILINE)
    assert sorted(listed) == sorted(loaded.rules)


def list_commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    for name, one in group.commands.items():
        if isinstance(one, click.Group):
            if one.invoke_without_command:
                yield f"{path} {name}", one
            yield from list_commands(one, f"{path} {name}")
        else:
            yield f"{path} {name}", one


COMMANDS = dict(list_commands(command, "assent"))


def read_sections() -> dict[str, str]:
    """The sections of docs/command.md by the command that they are about."""
    text = (ROOT / "docs" / "command.md").read_text()
    return dict(re.findall(r"^## `([^`]+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def test_the_page_has_every_command() -> None:
    assert list(read_sections()) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_has_every_option(name: str) -> None:
    section = read_sections()[name]
    options = [one for one in COMMANDS[name].params if isinstance(one, click.Option)]
    listed = re.findall(r"^\| `(--[a-z-]+)` \| \S", section, re.MULTILINE)
    assert listed == [one.opts[0] for one in options]
    for argument in COMMANDS[name].params:
        if isinstance(argument, click.Argument):
            assert f"`{name} {argument.make_metavar(click.Context(COMMANDS[name]))}`" in section


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_shows_an_example(name: str) -> None:
    assert re.search(rf"```console\n\$ (\w+=\w+ )?{name}\b", read_sections()[name])


def test_locks_hold_no_addresses() -> None:
    assert "://" not in (ROOT / "requirements.lock").read_text()
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert len(packages) > 50
    assert [name for name, one in packages.items() if "://" in str(one.get("resolved"))] == []


def test_no_file_names_a_registry() -> None:
    files = list_files()
    assert len(files) > 150
    assert [name_of(path) for path in files if REGISTRIES.search(read_text(path))] == []


def test_no_file_names_a_place_on_a_machine() -> None:
    here = re.compile(rf"(?<!\w){re.escape(ROOT.as_posix())}/")
    telling = {
        name_of(path): found[0]
        for path in list_files()
        if (found := MACHINES.search(read_text(path)) or here.search(read_text(path)))
    }
    assert telling == {}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("https://pypi" + ".org/x", True),
        ("https://artifactory" + ".corp.example/api", True),
        ("see npm for more", False),
        ("--index" + "-url", True),
    ],
)
def test_a_registry_would_be_noticed(text: str, tells: bool) -> None:
    assert bool(REGISTRIES.search(text)) is tells
