"""All rules together: first whether a word of theirs is there at all, then only the rules that may
find something. Pure.
"""

from collections.abc import Iterable, Sequence

from assent.vault.scrub.block import KEYWORD, find_blocks, find_open_block
from assent.vault.scrub.linear import Pattern, build_search, compile_pattern, join_words
from assent.vault.scrub.rule import Rule, Span, Unusable

NEAR = 64
"""What may stand between a rule's keyword and the secret, in bytes."""
COOKIE = compile_pattern(r"(?i)cookie[\"'\\ \t]{0,8}:[^\n]*\z")


class Rules:
    """`hits` are what `look` found in the same text."""

    def __init__(self, rules: Sequence[Rule], unusable: Sequence[Unusable] = ()) -> None:
        self.rules = tuple(rules)
        self.unusable = tuple(unusable)
        by_keyword = _group(rules)
        self._always = [number for number, rule in enumerate(rules) if not rule.keywords]
        self.look = build_search([KEYWORD, *by_keyword])
        """Gives the keywords that are in a text, as numbers."""
        self._numbers = [(), *(tuple(numbers) for numbers in by_keyword.values())]
        self._open = _build_open(rules)

    @property
    def always_look(self) -> bool:
        return bool(self._always)

    def find(self, data: bytes, hits: Iterable[int]) -> list[Span]:
        spans: list[Span] = []
        numbers = set(self._always)
        for hit in hits:
            numbers.update(self._numbers[hit])
            if hit == 0:
                spans.extend(find_blocks(data))
        for number in sorted(numbers):
            spans.extend(self.rules[number].find(data, number))
        return spans

    def find_open(self, data: bytes, hits: Iterable[int]) -> int:
        """From where on more text may make a secret of it; the end if nothing may."""
        found = len(data)
        crosses = False
        for hit in hits:
            if hit == 0:
                block = find_open_block(data)
                found = found if block is None else min(found, block)
            crosses = crosses or any(self.rules[one].crosses_words for one in self._numbers[hit])
        if crosses:
            for pattern in (self._open, COOKIE):
                begun = pattern.search(data)
                if begun:
                    found = min(found, begun.start())
        return found


def _group(rules: Sequence[Rule]) -> dict[str, list[int]]:
    grouped: dict[str, list[int]] = {}
    for number, rule in enumerate(rules):
        for keyword in rule.keywords:
            grouped.setdefault(_find_stem(keyword), []).append(number)
    return grouped


def _find_stem(keyword: str) -> str:
    """Keywords are looked for in the words of a text: of several words, the longest one."""
    return max(keyword.split(), key=len, default=keyword)


def _build_open(rules: Sequence[Rule]) -> Pattern:
    words = {_find_stem(word) for rule in rules if rule.crosses_words for word in rule.keywords}
    quoted = r"""["'\x60][^"'\x60\n]{0,200}"""
    return compile_pattern(rf"(?i)(?:{join_words(words)})[^\n]{{0,{NEAR}}}(?:{quoted})?[^ \n]*\z")
