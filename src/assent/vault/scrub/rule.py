"""Rules that find credentials, read from gitleaks' rule format and compiled on RE2. Pure.

Of that format, what speaks of files and commits is left out: there are none here.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from assent.errors import ConfigurationError
from assent.vault.scrub.linear import Pattern, PatternError, compile_pattern, describe_error

REJECTIONS = 1000
"""After so many findings of one rule that were none, it goes on behind them, not inside."""

Target: TypeAlias = Literal["secret", "match", "line"]


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes of a text that are a secret, known by what stands there from `since` on.

    `rank` says which of several names it gets.
    """

    since: int
    start: int
    end: int
    rank: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowlist:
    """What is no secret although a rule found it."""

    patterns: tuple[Pattern, ...]
    stopwords: tuple[bytes, ...]
    target: Target
    needs_all: bool

    def allows(self, targets: Mapping[Target, bytes]) -> bool:
        checks: list[bool] = []
        if self.patterns:
            checks.append(any(one.search(targets[self.target]) for one in self.patterns))
        if self.stopwords:
            secret = targets["secret"].lower()
            checks.append(any(word in secret for word in self.stopwords))
        return bool(checks) and (all(checks) if self.needs_all else any(checks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    id: str
    pattern: Pattern
    group: int
    entropy: float
    keywords: tuple[str, ...]
    allowlists: tuple[Allowlist, ...]
    crosses_words: bool
    """Whether what it finds may have blanks in it."""

    def find(self, data: bytes, rank: int) -> Iterator[Span]:
        position = rejected = 0
        while found := self.pattern.search(data, position):
            start, end = self._find_secret(found)
            if start < end and self._is_secret(data, found, start, end):
                yield Span(found.start(), start, end, rank, self.id)
                position = max(end, found.start() + 1)
                continue
            rejected += 1
            inside = start > found.start() and rejected < REJECTIONS
            position = start if inside else max(found.end(), found.start() + 1)

    def _find_secret(self, found: Any) -> tuple[int, int]:
        """The group that is named, else the first that holds something, else all of it."""
        if self.group:
            return found.span(self.group)
        spans = (found.span(number) for number in range(1, self.pattern.groups + 1))
        return next((one for one in spans if one[0] < one[1]), found.span())

    def _is_secret(self, data: bytes, found: Any, start: int, end: int) -> bool:
        secret = data[start:end]
        if self.entropy and measure_entropy(secret) <= self.entropy:
            return False
        if self.id.startswith("generic") and not any(48 <= byte <= 57 for byte in secret):
            return False
        targets: dict[Target, bytes] = {
            "secret": secret,
            "match": data[found.start() : found.end()],
            "line": find_line(data, start, end),
        }
        return not any(one.allows(targets) for one in self.allowlists)


@dataclass(frozen=True, slots=True)
class Unusable:
    """A rule that cannot be used, and why."""

    id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFile:
    """What one file says. `disabled` are rules of others that it does without."""

    rules: tuple[Rule, ...]
    unusable: tuple[Unusable, ...]
    disabled: frozenset[str]


def measure_entropy(secret: bytes) -> float:
    """Bits for each character, after Shannon."""
    text = secret.decode(errors="replace")
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


def find_line(data: bytes, start: int, end: int) -> bytes:
    last = data.find(b"\n", end)
    return data[data.rfind(b"\n", 0, start) + 1 : len(data) if last < 0 else last]


def parse_rules(content: Mapping[str, Any], *, where: str) -> RuleFile:
    """Read a file's tables; a rule that RE2 cannot compile is left out and named."""
    try:
        tables = [_table(one) for one in content.get("rules", [])]
        everywhere = [_table(one) for one in _list_allowlists(content)]
        disabled = _table(content.get("extend", {})).get("disabledRules", [])
        rules: list[Rule] = []
        unusable: list[Unusable] = []
        for table in tables:
            if not table.get("regex"):
                continue
            try:
                rules.append(_parse_rule(table, everywhere))
            except PatternError as error:
                unusable.append(Unusable(str(table["id"]), describe_error(error)))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigurationError(
            f"{where} is not a rule file in gitleaks' format: {type(error).__name__}: {error}"
        ) from error
    return RuleFile(
        rules=tuple(rules),
        unusable=tuple(unusable),
        disabled=frozenset(str(one) for one in disabled),
    )


def _parse_rule(table: Mapping[str, Any], everywhere: Sequence[Mapping[str, Any]]) -> Rule:
    own = [_table(one) for one in _list_allowlists(table)]
    shared = [one for one in everywhere if table["id"] in one.get("targetRules", [table["id"]])]
    expression = str(table["regex"])
    pattern = compile_pattern(expression)
    group = int(table.get("secretGroup", 0))
    if group > pattern.groups:
        raise ValueError(f"{table['id']} has no group {group}")
    return Rule(
        id=str(table["id"]),
        pattern=pattern,
        group=group,
        entropy=float(table.get("entropy", 0)),
        keywords=tuple(str(one).lower() for one in table.get("keywords", [])),
        allowlists=tuple(_parse_allowlist(one) for one in (*own, *shared)),
        crosses_words=any(one in expression for one in (" ", "\\s", "\\W", ".{", ".*", ".+")),
    )


def _parse_allowlist(table: Mapping[str, Any]) -> Allowlist:
    target = table.get("regexTarget") or "secret"
    if target not in ("secret", "match", "line"):
        raise ValueError(f"regexTarget cannot be {target!r}")
    needs_all = str(table.get("condition", "OR")).upper() in ("AND", "&&")
    knows_all = not table.get("paths") and not table.get("commits")
    usable = knows_all or not needs_all
    return Allowlist(
        patterns=tuple(compile_pattern(str(one)) for one in table.get("regexes", []) if usable),
        stopwords=tuple(str(one).lower().encode() for one in table.get("stopwords", []) if usable),
        target=target,
        needs_all=needs_all,
    )


def _list_allowlists(table: Mapping[str, Any]) -> list[Any]:
    """Both spellings: the older one has a single table."""
    older = [table["allowlist"]] if "allowlist" in table else []
    return [*older, *table.get("allowlists", [])]


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"a table was expected instead of {value!r}")
    return value  # pyright: ignore[reportUnknownVariableType]
