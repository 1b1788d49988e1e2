"""How every command of `assent` is invoked: its options, its settings, and how it fails."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assent.commands import Installation
from assent.errors import AssentError, ConfigurationError
from assent.logs import configure_logging
from assent.serve import open_postgres
from assent.settings import Settings, list_unknown, load_settings
from assent.vault.scrubbing import build_hiding

T = TypeVar("T")
log = logging.getLogger("assent")


class Commands(click.Group):
    """Turns our errors into one line and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ConfigurationError as error:
            click.echo(f"assent: {error.message}", err=True)
            sys.exit(2)
        except AssentError as error:
            click.echo(f"assent: {error.message}", err=True)
            sys.exit(1)


def place_options(command: Callable[..., T]) -> Callable[..., T]:
    """Where the data is: for every command that needs the database."""
    command = click.option(
        "--database-url", metavar="URL", help="Use this Postgres, not the embedded one."
    )(command)
    return click.option(
        "--data-dir",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder for the embedded Postgres and the master key (default ./.assent).",
    )(command)


def read_settings(**overrides: object) -> Settings:
    settings = load_settings(os.environ, overrides)
    configure_logging(settings, build_hiding(settings))
    for name in list_unknown(os.environ):
        log.warning("%s is set, but there is no such setting.", name)
    return settings


def run_command(
    deed: Callable[[Installation], Awaitable[None]], overrides: dict[str, object]
) -> None:
    """Open the installation as it stands, running or not, and do one thing with it."""
    settings = load_settings({"LOG_LEVEL": "warning", **os.environ}, overrides)
    configure_logging(settings, build_hiding(settings))

    async def run(resolved: Settings) -> None:
        async with Installation.open(resolved, embedded=settings.embedded) as installation:
            await deed(installation)

    with open_postgres(settings, attach=True) as resolved:
        asyncio.run(run(resolved))
