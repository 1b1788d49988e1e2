"""The JSON that other programs are given, in the forms that they read."""

import json

import pytest

from assent.errors import ConfigurationError
from assent.mcp_server.clients import PROGRAMS, build_config, find_endpoint, list_hints

URL = "https://assent.example/mcp"


@pytest.mark.parametrize(
    ("address", "endpoint"),
    [
        ("https://assent.example", URL),
        ("https://assent.example/", URL),
        (" https://assent.example/mcp/ ", URL),
        (URL, URL),
        ("http://127.0.0.1:8700", "http://127.0.0.1:8700/mcp"),
        ("http://[::1]:8700/", "http://[::1]:8700/mcp"),
        ("https://tools.example/assent/", "https://tools.example/assent/mcp"),
    ],
)
def test_any_address_of_the_server_leads_to_its_edge(address: str, endpoint: str) -> None:
    assert find_endpoint(address) == endpoint


@pytest.mark.parametrize(
    "address",
    ["", "assent.example", "ftp://assent.example", "https://", "https://a.example/?x=1",
     "https://a.example/#x", "https://ann:secret@a.example/"],
)  # fmt: skip
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match="--url") as raised:
        find_endpoint(address)
    assert "secret" not in raised.value.message


def test_an_editor_is_given_an_address() -> None:
    assert build_config(PROGRAMS["vscode"], URL, keyed=False) == {
        "servers": {"assent": {"type": "http", "url": URL}}
    }
    assert build_config(PROGRAMS["cursor"], URL, keyed=False) == {
        "mcpServers": {"assent": {"url": URL}}
    }
    assert build_config(PROGRAMS["claude-code"], URL, keyed=False) == {
        "mcpServers": {"assent": {"type": "http", "url": URL}}
    }


def test_each_program_takes_the_key_from_its_own_place() -> None:
    code = build_config(PROGRAMS["vscode"], URL, keyed=True)
    asked = code["inputs"][0]
    assert (asked["type"], asked["password"]) == ("promptString", True)
    header = {"Authorization": f"Bearer ${{input:{asked['id']}}}"}
    assert code["servers"]["assent"]["headers"] == header
    cursor = build_config(PROGRAMS["cursor"], URL, keyed=True)["mcpServers"]["assent"]
    assert cursor["headers"] == {"Authorization": "Bearer ${env:MY_ASSENT_KEY}"}
    terminal = build_config(PROGRAMS["claude-code"], URL, keyed=True)["mcpServers"]["assent"]
    assert terminal["headers"] == {"Authorization": "Bearer ${MY_ASSENT_KEY}"}


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        (URL, False),
        ("http://127.0.0.1:8700/mcp", False),
        ("http://localhost:8700/mcp", False),
        ("http://assent.lan/mcp", True),
        ("http://[::1]:8700/mcp", True),
    ],
)
def test_a_bridge_is_started_where_a_file_knows_commands_only(url: str, allowed: bool) -> None:
    server = build_config(PROGRAMS["claude-desktop"], url, keyed=True)["mcpServers"]["assent"]
    assert server["command"] == "npx"
    assert server["args"][:3] == ["-y", "mcp-remote", url]
    assert ("--allow-http" in server["args"]) is allowed
    header = server["args"][server["args"].index("--header") + 1]
    assert header == "Authorization:${MY_ASSENT_AUTHORIZATION}"
    assert not any(" " in one for one in server["args"])
    assert server["env"] == {"MY_ASSENT_AUTHORIZATION": "Bearer ask_…"}
    plain = build_config(PROGRAMS["claude-desktop"], url, keyed=False)["mcpServers"]["assent"]
    assert "--header" not in plain["args"]
    assert "env" not in plain


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_beside_it(name: str) -> None:
    program = PROGRAMS[name]
    told = list_hints(program, URL, keyed=False)
    assert program.file in told[0]
    assert URL in told[0]
    assert list_hints(program, URL, keyed=True) == [*told, program.key_hint]
    assert json.dumps(build_config(program, URL, keyed=True))
