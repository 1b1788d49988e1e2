"""Every route of the pages, read from where they are wired: a new one cannot be forgotten."""

import re
from pathlib import Path

APP = Path(__file__).parents[2] / "web" / "src" / "app.tsx"
ELEMENT = re.compile(r"element=\{<(\w+)[^<>]*/>\}")
TAG = re.compile(r"<Route\b([^>]*?)(/?)>|</Route>")
PATH = re.compile(r'\bpath="([^"]*)"')
LEADS_ON = re.compile(r"shows-(Navigate|AssistantStart|KnowledgeStart)\b")


def list_routes(source: str) -> list[str]:
    """The routes that show something, as they are written: `/proposals/:proposalId`."""
    parents: list[str] = []
    found: list[str] = []
    for tag in TAG.finditer(ELEMENT.sub(r"shows-\1", source)):
        if tag[0] == "</Route>":
            parents.pop()
            continue
        path = PATH.search(tag[1])
        whole = "/".join(filter(None, [*parents, path[1].strip("/") if path else ""]))
        if not tag[2]:
            parents.append(path[1].strip("/") if path else "")
        elif not LEADS_ON.search(tag[1]):
            found.append(f"/{whole}")
    return found


def find_routes() -> list[str]:
    return list_routes(APP.read_text())
