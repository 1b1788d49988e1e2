"""The pages are typed by the server's own description: `make types` after a change of the API."""

import json
import subprocess
from pathlib import Path

from assent.main import create_app
from assent.settings import Settings

WEB = Path(__file__).parents[2] / "web"
NODE = Path(__file__).parents[2] / ".venv" / "node" / "bin" / "node"
GENERATOR = WEB / "node_modules" / "openapi-typescript" / "bin" / "cli.js"


def test_the_pages_types_are_the_servers(tmp_path: Path) -> None:
    document, made = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    document.write_text(json.dumps(create_app(Settings()).openapi()))
    subprocess.run([NODE, GENERATOR, document, "-o", made], check=True, capture_output=True)
    assert made.read_text() == (WEB / "src" / "api" / "schema.d.ts").read_text(), "run `make types`"
