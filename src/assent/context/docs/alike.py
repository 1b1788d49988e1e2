"""Words that people use for what the documentation calls otherwise. Pure.

A word of a group finds the others, for less than itself.
"""

from assent.context.docs.words import list_words

WORTH = 0.35
"""What an equivalent counts, against the word itself."""
_GROUPS = """
    login log-in signin sign-in sso single-sign-on oidc
    permission permissions right rights access rule
    delete remove erase
    restore recover backup
    crash killed outage down unreachable
    upgrade update deploy release
    cost costs expensive spend money price usage
    approve approval confirm decide decision assent
    undo revert rollback take-back
    secret credential password token
    kubernetes replica replicas processes load-balancer
    attach attachment upload file files
    llm model provider
    monitoring metrics alert alerts
    colleague user person people
    environment-variable setting option configuration config
    endpoint route api
    extension plugin addon
    encrypted encryption sealed
    cron schedule scheduled interval
    limit cap quota budget
    bot assistant agent
    chat conversation thread
    logged audit
    install setup
    injection untrusted
"""


def _read_groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS.strip().splitlines():
        group = frozenset(word for term in line.split() for word in list_words(term))
        for word in group:
            found[word] = found.get(word, frozenset()) | (group - {word})
    return found


_ALIKE = _read_groups()


def weigh_words(query: str) -> dict[str, float]:
    """The words of a query with what each counts, and equivalents that it does not say."""
    weights = dict.fromkeys(list_words(query), 1.0)
    for word in list(weights):
        for other in sorted(_ALIKE.get(word, ())):
            weights.setdefault(other, WORTH)
    return weights
