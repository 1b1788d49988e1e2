"""Scopes: access rules that a program asks for and a person lets it have. Pure."""

from collections.abc import Collection, Iterable

from assent.identity.principal import Principal
from assent.identity.rules import EVERYTHING, describe, holds, narrow

ALL = "Everything that you may do"


def parse_scopes(text: str, known: Collection[str]) -> tuple[str, ...]:
    """What is asked for, in our order.

    What we do not know is passed over: a plugin may have gone, and programs add words of their own.
    """
    asked = set(text.split())
    if EVERYTHING in asked:
        return (EVERYTHING,)
    return tuple(rule for rule in known if rule in asked)


def encode_scopes(scopes: Iterable[str]) -> str:
    return " ".join(sorted(scopes))


def describe_scope(rule: str) -> str:
    return ALL if rule == EVERYTHING else describe(rule)


def gather_held(person: Principal, granted: Collection[str]) -> frozenset[str]:
    """The rules that a person has to give: those that they hold anywhere at all."""
    return person.rules.union(granted, *person.workspace_rules.values())


def is_held(held: Collection[str], rule: str) -> bool:
    return bool(held) if rule == EVERYTHING else holds(held, rule)


def keep_held(chosen: Collection[str], held: Collection[str]) -> tuple[str, ...]:
    """What of the chosen rules a person can give; everything stays everything, as it changes."""
    if EVERYTHING in chosen:
        return (EVERYTHING,) if held else ()
    return tuple(sorted(narrow(chosen, within=held)))


def find_lacking(scopes: Collection[str], rules: Iterable[str]) -> tuple[str, ...]:
    """The rules that the scopes do not include."""
    return tuple(rule for rule in rules if not holds(scopes, rule))
