"""The command `assent`.

Exit codes: 0 done, 1 failed or problems found, 2 wrong usage or settings.
"""

import asyncio
import os
import sys
from dataclasses import replace
from typing import Any, TextIO

import click

from assent import __version__
from assent.apply import apply_documents
from assent.audit.report import Report
from assent.bench.report import encode_report, list_lines
from assent.bench.run import MEASUREMENTS, run_bench
from assent.bench.size import FULL, QUICK
from assent.commands import (
    Installation,
    add_person,
    create_key,
    examine_conversation,
    export_audit,
    list_audit_heads,
    list_keys,
    list_people,
    make_reset_link,
    migrate_database,
    revoke_key,
    rotate_vault,
    verify_audit,
    verify_export,
)
from assent.connect import mcp_group
from assent.doctor import Finding, examine
from assent.documents import read_documents
from assent.invoke import Commands, place_options, read_settings, run_command
from assent.logs import configure_logging
from assent.serve import open_postgres, serve, work
from assent.settings import Settings, load_settings
from assent.vault.scrubbing import build_hiding

MARKS = {"ok": "✓", "note": "·", "problem": "✗"}


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Assent: an AI assistant for operational software.

    Settings come from ASSENT_* variables and from assent.toml; see docs/settings.md.
    """


@main.command("serve")
@click.option("--host", help="Address to listen on (default 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on (default 8700).")
@click.option("--workers", type=click.IntRange(1, 64), help="Server processes (default 1).")
@place_options
def serve_command(**overrides: object) -> None:
    """Serve pages and API; does background work too."""
    serve(read_settings(**overrides))


@main.command("worker")
@place_options
def worker_command(**overrides: object) -> None:
    """Do background work only. Run as many as you like."""
    work(read_settings(**overrides))


@main.command("migrate")
@place_options
def migrate_command(**overrides: object) -> None:
    """Bring the database up to date. `serve` and `worker` do this too."""
    run_command(migrate_database, overrides)


@main.group("doctor", invoke_without_command=True)
@place_options
@click.pass_context
def doctor_group(ctx: click.Context, **overrides: object) -> None:
    """Look at this installation and say what is wrong."""
    if ctx.invoked_subcommand is not None:
        return
    settings = load_settings({"LOG_LEVEL": "warning", **os.environ}, overrides)
    configure_logging(settings, build_hiding(settings))

    async def run(resolved: Settings) -> list[Finding]:
        found: list[Finding] = []
        async for finding in examine(resolved, os.environ, embedded=settings.embedded):
            click.echo(f"{MARKS[finding.verdict]} {finding.what}")
            found.append(finding)
        return found

    with open_postgres(settings, attach=True) as resolved:
        findings = asyncio.run(run(resolved))
    _conclude(sum(finding.verdict == "problem" for finding in findings))


@doctor_group.command("conversation")
@click.argument("conversation_id", type=click.UUID)
@click.option("--repair", is_flag=True, help="Put right what is broken in its rows.")
@place_options
def doctor_conversation(conversation_id: Any, repair: bool, **overrides: object) -> None:
    """Say what of a conversation its model is shown, and what is broken in it."""
    problems: list[int] = []

    async def deed(installation: Installation) -> None:
        remarks, repaired = await examine_conversation(installation, conversation_id, repair=repair)
        for one in remarks:
            click.echo(f"{MARKS[one.verdict]} {one.what}")
        if repaired:
            click.echo(f"Repaired: {repaired}.")
        found = sum(one.verdict == "problem" for one in remarks)
        problems.append(0 if repair else found)

    run_command(deed, overrides)
    _conclude(sum(problems))


def _conclude(problems: int) -> None:
    click.echo(f"{problems} problem{'s' if problems != 1 else ''} found." if problems else "Fine.")
    sys.exit(1 if problems else 0)


@main.command("apply")
@click.option(
    "--file",
    "-f",
    "files",
    type=click.File("r", encoding="utf-8"),
    multiple=True,
    required=True,
    help="YAML or JSON, one or several documents; `-` is standard input. Give it several times.",
)
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@click.option("--tenant", default="default", show_default=True, help="Slug of the tenant.")
@place_options
def apply_command(
    files: tuple[TextIO, ...], dry_run: bool, tenant: str, **overrides: object
) -> None:
    """Make true what files say: all documents, or none if one is wrong."""
    documents = [one for file in files for one in read_documents(file.read(), where=file.name)]
    wrong: list[bool] = []

    async def deed(installation: Installation) -> None:
        for said in await apply_documents(installation, documents, tenant=tenant, dry_run=dry_run):
            click.echo(said.line, err=said.is_wrong)
            wrong.append(said.is_wrong)

    run_command(deed, overrides)
    sys.exit(1 if any(wrong) else 0)


@main.group("users")
def users_group() -> None:
    """People who sign in."""


@users_group.command("add")
@click.argument("email")
@click.option("--name", help="Their name (default: from the address).")
@click.option("--role", default="operator", show_default=True, help="Slug of their role.")
@click.option("--tenant", default="default", show_default=True, help="Slug of their tenant.")
@click.option("--new-tenant", is_flag=True, help="Create that tenant first.")
@place_options
def users_add(
    email: str, name: str | None, role: str, tenant: str, new_tenant: bool, **overrides: object
) -> None:
    """Add a person and print the link at which they set their password."""

    async def deed(installation: Installation) -> None:
        link = await add_person(
            installation, email=email, name=name, role=role, tenant=tenant, new_tenant=new_tenant
        )
        click.echo(link)

    run_command(deed, overrides)


@users_group.command("list")
@click.option("--tenant", help="Only this tenant.")
@place_options
def users_list(tenant: str | None, **overrides: object) -> None:
    """List people with their roles."""

    async def deed(installation: Installation) -> None:
        for line in await list_people(installation, tenant):
            click.echo(line)

    run_command(deed, overrides)


@users_group.command("reset-link")
@click.argument("email")
@place_options
def users_reset_link(email: str, **overrides: object) -> None:
    """Print a one-time link at which a person sets a new password."""

    async def deed(installation: Installation) -> None:
        click.echo(await make_reset_link(installation, email))

    run_command(deed, overrides)


@main.group("keys")
def keys_group() -> None:
    """Keys with which applications call Assent."""


@keys_group.command("create")
@click.argument("name")
@click.option("--owner", required=True, help="E-mail address of the person who answers for it.")
@click.option(
    "--rule", "rules", multiple=True, required=True, help="Access rule; give it several times."
)
@click.option("--days", type=click.IntRange(1, 3650), help="The key ends after this many days.")
@place_options
def keys_create(
    name: str, owner: str, rules: tuple[str, ...], days: int | None, **overrides: object
) -> None:
    """Create an application with a key, and print the key: it is shown only now."""

    async def deed(installation: Installation) -> None:
        click.echo(await create_key(installation, name, owner=owner, rules=rules, days=days))

    run_command(deed, overrides)


@keys_group.command("list")
@place_options
def keys_list(**overrides: object) -> None:
    """List applications and their keys."""

    async def deed(installation: Installation) -> None:
        for line in await list_keys(installation):
            click.echo(line)

    run_command(deed, overrides)


@keys_group.command("revoke")
@click.argument("key_id", type=click.UUID)
@place_options
def keys_revoke(key_id: Any, **overrides: object) -> None:
    """Revoke a key at once. `keys list` shows the ids."""

    async def deed(installation: Installation) -> None:
        await revoke_key(installation, key_id)
        click.echo("Revoked.")

    run_command(deed, overrides)


@main.group("vault")
def vault_group() -> None:
    """Stored secrets and the master key that seals them."""


@vault_group.command("rotate")
@place_options
def vault_rotate(**overrides: object) -> None:
    """Seal all secrets anew under a new master key.

    With a key file a new key is put in front of the older ones. With ASSENT_MASTER_KEY set it to
    the new key, ASSENT_PREVIOUS_MASTER_KEYS to the old one, and run this.
    """

    async def deed(installation: Installation) -> None:
        click.echo(await rotate_vault(installation))

    run_command(deed, overrides)


@main.group("audit")
def audit_group() -> None:
    """The audit log and its seal; see docs/audit.md."""


@audit_group.command("head")
@click.option("--tenant", help="Only this tenant.")
@place_options
def audit_head(tenant: str | None, **overrides: object) -> None:
    """Print the last signed head of each log, to keep elsewhere."""

    async def deed(installation: Installation) -> None:
        for line in await list_audit_heads(installation, tenant):
            click.echo(line)

    run_command(deed, overrides)


@audit_group.command("export")
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=True))
@click.option("--tenant", help="Only this tenant.")
@click.option("--since", default="", help="Only what happened since then (RFC 3339).")
@place_options
def audit_export(file: TextIO, tenant: str | None, since: str, **overrides: object) -> None:
    """Write the log as JSON Lines that can be verified without a database; `-` is the screen."""

    async def deed(installation: Installation) -> None:
        await export_audit(installation, file.write, tenant=tenant, since=since)

    run_command(deed, overrides)


@audit_group.command("verify")
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), required=False)
@click.option("--tenant", help="Only this tenant; for the database, not for a file.")
@click.option("--public-key", multiple=True, help="Believe this key; give it several times.")
@click.option(
    "--expect-head", multiple=True, help="Head that `audit head` printed; give it several times."
)
@place_options
def audit_verify(
    file: TextIO | None,
    tenant: str | None,
    public_key: tuple[str, ...],
    expect_head: tuple[str, ...],
    **overrides: object,
) -> None:
    """Say whether the log is as it was written: an export, or without FILE the database."""

    reports: list[Report] = []

    async def deed(installation: Installation) -> None:
        report = await verify_audit(
            installation, tenant=tenant, public_keys=public_key, expected=expect_head
        )
        reports.append(report)

    if file is None:
        run_command(deed, overrides)
    else:
        reports.append(verify_export(file, public_keys=public_key, expected=expect_head))
    for report in reports:
        for line in report.tell():
            click.echo(line)
        sys.exit(0 if report.is_sound else 1)


main.add_command(mcp_group)


@main.command("bench")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(list(MEASUREMENTS)),
    help="Measure only this; give it several times.",
)
@click.option(
    "--seconds", type=click.FloatRange(0.5, 600), help="How long each load is kept up (default 8)."
)
@click.option("--quick", is_flag=True, help="Small loads, to see that it works.")
@click.option(
    "--json",
    "file",
    type=click.File("w", encoding="utf-8", lazy=True),
    help="Write the figures to this file too; `-` is the screen.",
)
@click.option(
    "--database-url", metavar="URL", help="Measure on this Postgres, in databases of its own."
)
def bench_command(
    only: tuple[str, ...],
    seconds: float | None,
    quick: bool,
    file: TextIO | None,
    database_url: str | None,
) -> None:
    """Measure what this machine can do, on servers and a Postgres of its own."""
    settings = load_settings({"LOG_LEVEL": "warning", **os.environ}, {})
    configure_logging(settings, build_hiding(settings))
    size = QUICK if quick else FULL
    report = run_bench(
        only,
        replace(size, seconds=seconds or size.seconds),
        database_url=database_url,
        binaries=settings.postgres_binaries,
        tell=lambda title: click.echo(f"… {title}", err=True),
    )
    for line in list_lines(report):
        click.echo(line, err=file is not None and file.name == "-")
    if file is not None:
        file.write(f"{encode_report(report)}\n")
    sys.exit(0 if report.is_whole else 1)


@main.command("version")
def version_command() -> None:
    """Print the version."""
    click.echo(__version__)
