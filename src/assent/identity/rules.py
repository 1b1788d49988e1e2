"""Access rules, `namespace.resource.read|manage`: their form and what holds what. Pure."""

import re
from collections.abc import Iterable

RULE_PATTERN = r"^[a-z][a-z0-9]*\.[a-z][a-z0-9]*\.(read|manage)$"
EVERYTHING = "*"
RULE_OR_EVERYTHING = rf"^(\*|{RULE_PATTERN[1:-1]})$"

OWN_WORDS = {
    "ai.approval": "approval rules",
    "ai.context": "the business context",
    "ai.credit": "credits",
    "ai.egress": "where data may go without a card",
    "ai.integration": "model providers",
    "ai.sharing": "what always applies to everybody",
    "ai.url": "web addresses",
    "ai.usage": "what models cost",
    "ai.webhook": "where events are sent",
    "audit.entry": "the audit log",
    "identity.program": "connected programs",
    "identity.user": "people and their roles",
}
"""What people call things of our own whose names are not the plural of their resource."""

_RULE = re.compile(RULE_PATTERN)


def is_rule(text: str) -> bool:
    return _RULE.fullmatch(text) is not None


def holds(rules: Iterable[str], rule: str) -> bool:
    """Whether these rules include that one: `*` includes all, `manage` includes `read`."""
    accepted = {EVERYTHING, rule}
    if rule.endswith(".read"):
        accepted.add(f"{resource_kind(rule)}.manage")
    return not accepted.isdisjoint(rules)


def resource_kind(rule: str) -> str:
    """`catalog.system.read` is about the resource kind `catalog.system`."""
    return rule.rpartition(".")[0]


def narrow(rules: Iterable[str], *, within: Iterable[str]) -> frozenset[str]:
    """The given rules as far as `within` includes them; `*` shrinks to all that `within` has.

    Of a `manage` whose `read` alone is left, the `read` stays.
    """
    limits = frozenset(within)
    wanted = frozenset(rules)
    if EVERYTHING in wanted:
        return limits
    left = {rule for rule in wanted if holds(limits, rule)}
    reads = {f"{resource_kind(rule)}.read" for rule in wanted - left}
    return frozenset(left | {rule for rule in reads if holds(limits, rule)})


def describe(rule: str) -> str:
    """A title in plain words: `catalog.system.manage` reads as "Change systems"."""
    resource, action = resource_kind(rule), rule.rpartition(".")[2]
    words = OWN_WORDS.get(resource) or _name_many(resource.rpartition(".")[2])
    return f"{'See' if action == 'read' else 'Change'} {words}"


def _name_many(resource: str) -> str:
    stem = re.sub(r"(?<=[^s])y$", "ie", resource)
    return f"{stem}es" if stem.endswith("s") else f"{stem}s"
