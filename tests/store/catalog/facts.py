"""A catalog as plain texts: what is in it, and what a card says would be in it afterwards."""

from collections.abc import Mapping
from typing import Any

from assent.db.database import Database
from assent.tools.tool import Preview

NAMED = "SELECT name, description FROM catalog.{table} ORDER BY id"
LINKS = """
SELECT systems.name AS system, {table}.name AS target
FROM catalog.systems
JOIN catalog.system_{table} AS link ON link.system_id = systems.id
JOIN catalog.{table} ON {table}.id = link.{column}
ORDER BY systems.id, {table}.id
"""
DEPENDENCIES = """
SELECT one.name AS system, other.name AS target, strength FROM catalog.dependencies
JOIN catalog.systems AS one ON one.id = system_id
JOIN catalog.systems AS other ON other.id = depends_on_id
"""
GRANTS = "SELECT count(*) FROM grants"

Facts = dict[str, Any]


async def read_facts(database: Database) -> Facts:
    """Each system with its links, each group and environment, each dependency."""
    async with database.transaction(read_only=True) as db:
        named = {
            table: {
                row["name"]: {"name": row["name"], "description": row["description"]}
                for row in await db.fetch(NAMED.format(table=table))
            }
            for table in ("systems", "groups", "environments")
        }
        for table, column in (("groups", "group_id"), ("environments", "environment_id")):
            for system in named["systems"].values():
                system[table] = []
            for row in await db.fetch(LINKS.format(table=table, column=column)):
                named["systems"][row["system"]][table].append(row["target"])
        dependencies = {
            f"dependency {row['system']} → {row['target']} ({row['strength']})"
            for row in await db.fetch(DEPENDENCIES)
        }
        return {**named, "dependencies": dependencies, "grants": await db.fetchval(GRANTS)}


def foresee(facts: Facts, card: Preview, *, table: str, name: str) -> Facts:
    """The facts after what the card announces about one entry."""
    if card.creates is not None:
        return _add(facts, card.creates, table)
    if card.removes:
        return _remove(facts, card.removes)
    entry = facts[table][name]
    for change in card.diff:
        if len(change.path) == 1:
            assert entry[change.path[0]] == change.before
            entry[change.path[0]] = change.after
    for change in sorted(card.diff, key=lambda one: one.path, reverse=True):
        if change.kind == "removed":
            assert entry[change.path[0]].pop(change.path[1]) == change.before
    for change in sorted(card.diff, key=lambda one: one.path):
        if change.kind == "added":
            entry[change.path[0]].insert(change.path[1], change.after)
    named = {value["name"]: value for value in facts[table].values()}
    needs = {text.replace(f" {name} ", f" {entry['name']} ") for text in facts["dependencies"]}
    return {**facts, table: named, "dependencies": needs}


def _add(facts: Facts, creates: Mapping[str, Any], table: str) -> Facts:
    entry = {key: value for key, value in creates.items() if key not in ("workspace", "systems")}
    for member in creates.get("systems", []):
        facts["systems"][member]["groups"].append(creates["name"])
    return {**facts, table: {**facts[table], creates["name"]: entry}}


def _remove(facts: Facts, removes: tuple[str, ...]) -> Facts:
    kind, _, name = removes[0].partition(" ")
    gone = facts[f"{kind}s"].pop(name)
    for text in removes[1:]:
        what, _, target = text.rpartition(" ")
        if text.startswith("dependency"):
            facts["dependencies"].remove(text)
        elif what == "membership of system":
            facts["systems"][target]["groups"].remove(name)
        elif what == "membership in group":
            gone["groups"].remove(target)
        elif what == "link to environment":
            gone["environments"].remove(target)
        else:
            facts["grants"] -= int(text.split()[0])
    assert gone.get("groups", []) == gone.get("environments", []) == []
    return facts
