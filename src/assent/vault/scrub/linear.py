"""RE2, whose time grows with the text and with nothing else, whatever the expression. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, cast

import re2

MEMORY = 1 << 25
WORD_MEMORY = 1 << 26

Pattern: TypeAlias = Any
"""Like one of `re`, for bytes."""
_re2: Any = re2
PatternError = cast(type[Exception], _re2.error)


def compile_pattern(expression: str, *, longest: bool = False, memory: int = MEMORY) -> Pattern:
    """Raise `PatternError` for what RE2 does not know."""
    options = _re2.Options()
    options.log_errors = False
    options.longest_match = longest
    options.max_mem = memory
    return _re2.compile(expression, options)


def build_search(words: Iterable[str]) -> Callable[[bytes], Sequence[int] | None]:
    """A function that says which of these words are in a text, whatever their case."""
    options = _re2.Options()
    options.case_sensitive = False
    options.never_capture = True
    options.max_mem = WORD_MEMORY
    words_set = _re2.Set.SearchSet(options)
    for word in words:
        words_set.Add(re.escape(word))
    words_set.Compile()
    return words_set.Match


def join_words(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words))


def describe_error(error: Exception) -> str:
    return ", ".join(
        one.decode(errors="replace") if isinstance(one, bytes) else str(one) for one in error.args
    )
