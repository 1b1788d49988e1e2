"""What other programs are told so that they find this installation: the JSON that one pastes.

No key is ever in it: it names the place where each program looks for one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from assent.errors import ConfigurationError

NAME = "assent"
VARIABLE = "MY_ASSENT_KEY"
WHOLE_HEADER = "MY_ASSENT_AUTHORIZATION"
LOCAL = frozenset({"localhost", "127.0.0.1"})
"""Hosts to which the bridge speaks plain HTTP without being told to."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """`file` is where its JSON belongs; `hints` are said beside it, one line each."""

    title: str
    file: str
    build: Callable[[str, bool], Json]
    hints: tuple[str, ...]
    key_hint: str


def find_endpoint(address: str) -> str:
    """The address of the server's MCP edge from any address of it that people know."""
    parts = urlsplit(address.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(f"--url {address!r} is no address: it begins with https://.")
    path = parts.path.rstrip("/").removesuffix("/mcp")
    if parts.query or parts.fragment or parts.username or parts.password is not None:
        raise ConfigurationError("--url is the address of the server alone, without ?, # or @.")
    return f"{parts.scheme}://{parts.netloc}{path}/mcp"


def _build_vscode(url: str, keyed: bool) -> Json:
    server: Json = {"type": "http", "url": url}
    if not keyed:
        return {"servers": {NAME: server}}
    question = {
        "type": "promptString",
        "id": "assent-key",
        "description": "Key of an application in Assent",
        "password": True,
    }
    headers = {"Authorization": "Bearer ${input:assent-key}"}
    return {"inputs": [question], "servers": {NAME: {**server, "headers": headers}}}


def _build_cursor(url: str, keyed: bool) -> Json:
    headers = {"headers": {"Authorization": f"Bearer ${{env:{VARIABLE}}}"}} if keyed else {}
    return {"mcpServers": {NAME: {"url": url, **headers}}}


def _build_claude_code(url: str, keyed: bool) -> Json:
    headers = {"headers": {"Authorization": f"Bearer ${{{VARIABLE}}}"}} if keyed else {}
    return {"mcpServers": {NAME: {"type": "http", "url": url, **headers}}}


def _build_claude_desktop(url: str, keyed: bool) -> Json:
    """Its file knows commands only, so a bridge is started that speaks HTTP for it.

    The header is one word: on Windows arguments with spaces are torn apart.
    """
    parts = urlsplit(url)
    arguments = ["-y", "mcp-remote", url]
    if parts.scheme == "http" and parts.hostname not in LOCAL:
        arguments.append("--allow-http")
    if not keyed:
        return {"mcpServers": {NAME: {"command": "npx", "args": arguments}}}
    arguments += ["--header", f"Authorization:${{{WHOLE_HEADER}}}"]
    environment = {WHOLE_HEADER: "Bearer ask_…"}
    return {"mcpServers": {NAME: {"command": "npx", "args": arguments, "env": environment}}}


PROGRAMS: Mapping[str, ClientProgram] = {
    "claude-desktop": ClientProgram(
        "Claude Desktop",
        "claude_desktop_config.json",
        _build_claude_desktop,
        (
            "Settings, Developer, Edit Config opens the file. Node.js must be installed. Quit "
            "Claude and start it again.",
            "A server that the internet reaches needs no file: Customize, Connectors, Add custom "
            "connector, and the address above.",
        ),
        "Write the key after the word Bearer; the file then holds a secret.",
    ),
    "claude-code": ClientProgram(
        "Claude Code",
        ".mcp.json",
        _build_claude_code,
        ("It belongs into the folder of a project. Type /mcp to sign in.",),
        f"The key is taken from the variable {VARIABLE}.",
    ),
    "vscode": ClientProgram(
        "VS Code",
        ".vscode/mcp.json",
        _build_vscode,
        ("Press Start above the entry, and sign in when the browser opens.",),
        "VS Code asks for the key once and keeps it.",
    ),
    "cursor": ClientProgram(
        "Cursor",
        ".cursor/mcp.json",
        _build_cursor,
        ("~/.cursor/mcp.json holds it for all projects. Sign in under Settings, MCP.",),
        f"The key is taken from the variable {VARIABLE}, which must be set where Cursor starts.",
    ),
}


def build_config(program: ClientProgram, url: str, *, keyed: bool) -> Json:
    return program.build(url, keyed)


def list_hints(program: ClientProgram, url: str, *, keyed: bool) -> list[str]:
    """What is said beside the JSON, for people."""
    told = [program.key_hint] if keyed else []
    return [f"{program.title}: paste this into {program.file} ({url}).", *program.hints, *told]
