"""Plugins that pages of the documentation show: installed into a folder, as an installer would."""

import re
import tomllib
from pathlib import Path

FILES = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def read_files(page: Path) -> dict[str, str]:
    return dict(FILES.findall(page.read_text()))


def install(page: Path, folder: Path) -> None:
    """Write the page's files, and the note that an installer would leave beside them."""
    for name, text in read_files(page).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    points = project["entry-points"]["assent.plugins"]
    lines = ["[assent.plugins]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
