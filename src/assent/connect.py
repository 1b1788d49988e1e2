"""`assent mcp`: what other programs are told so that they find this installation."""

import json
import os

import click

from assent.main import find_public_url
from assent.mcp_server.clients import PROGRAMS, build_config, find_endpoint, list_hints
from assent.settings import load_settings

EVERY = "all"


@click.group("mcp")
def mcp_group() -> None:
    """Other programs that use Assent's tools; see docs/mcp.md."""


@mcp_group.command("config")
@click.option(
    "--client",
    type=click.Choice([*PROGRAMS, EVERY]),
    default=EVERY,
    show_default=True,
    help="The program to connect.",
)
@click.option("--url", help="Address of the server (default: that of the settings).")
@click.option("--key", is_flag=True, help="With an application's key instead of a sign-in.")
def mcp_config(client: str, url: str | None, key: bool) -> None:
    """Print the JSON with which a program finds this server, ready to be pasted."""
    endpoint = find_endpoint(url or find_public_url(load_settings(os.environ, {})))
    chosen = list(PROGRAMS) if client == EVERY else [client]
    configs = {name: build_config(PROGRAMS[name], endpoint, keyed=key) for name in chosen}
    told = configs if client == EVERY else configs[client]
    click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    for name in chosen:
        for line in list_hints(PROGRAMS[name], endpoint, keyed=key):
            click.echo(line, err=True)
