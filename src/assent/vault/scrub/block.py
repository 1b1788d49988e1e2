"""Private keys in their PEM or OpenPGP armour, whole or cut off, also with `\\n` for line breaks.
Pure.
"""

from collections.abc import Iterator

from assent.vault.scrub.linear import compile_pattern
from assent.vault.scrub.rule import Span

NAME = "private-key"
KEYWORD = "-----begin"
LONGEST = 16_384
"""No private key is longer than this, in bytes."""
BEGIN = compile_pattern(r"-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----")
FINISH = compile_pattern(r"-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----")
BEGINNING = compile_pattern(r"-----BEGIN[ A-Z0-9_-]{0,75}\z")
BREAK = compile_pattern(r"""\A[ \t"']*(?:\\{1,4}[nr]|[\r\n])""")
BODY = compile_pattern(r"""\A(?:[\s"'+,|>]|\\{1,4}[nrt])*[A-Za-z0-9+/=]{16}""")
UNDECIDED = compile_pattern(r"""\A(?:[\s"'+,|>]|\\{1,4}[nrt]?)*[A-Za-z0-9+/=]{0,15}\z""")
LINES = compile_pattern(
    r"""\A(?:[\s"'+,|>]|\\{1,4}[nrt]|[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]{2,20}: [^\r\n\\]{1,120}"""
    r"""|[A-Za-z0-9+/=]{1,15}\z)*"""
)
LONG_LINE = compile_pattern(r"[A-Za-z0-9+/=]{16}")


def find_blocks(data: bytes) -> Iterator[Span]:
    position = 0
    while begun := BEGIN.search(data, position):
        position = begun.end()
        end = _find_end(data[position : position + LONGEST])
        if end:
            position += end
            yield Span(begun.start(), begun.start(), position, -1, NAME)


def find_open_block(data: bytes) -> int | None:
    """Where something begins that may still become a private key."""
    position = 0
    while begun := BEGIN.search(data, position):
        position = begun.end()
        if _is_open(data[position : position + LONGEST + 1]):
            return begun.start()
    beginning = BEGINNING.search(data, position)
    return beginning.start() if beginning else None


def _find_end(rest: bytes) -> int:
    """How far the key goes that was begun; 0 if these were only words about one."""
    finish = _find_finish(rest)
    if finish is not None:
        return finish if _is_body(rest) else 0
    lines = LINES.search(rest)
    return lines.end() if lines and LONG_LINE.search(rest[: lines.end()]) else 0


def _find_finish(rest: bytes) -> int | None:
    finish = FINISH.search(rest)
    if finish is None or b"-----BEGIN" in rest[: finish.start()]:
        return None
    return finish.end()


def _is_body(rest: bytes) -> bool:
    return bool(BREAK.search(rest) or BODY.search(rest))


def _is_open(rest: bytes) -> bool:
    if len(rest) > LONGEST or b"-----BEGIN" in rest or _find_finish(rest) is not None:
        return False
    return _is_body(rest) or bool(UNDECIDED.search(rest))
