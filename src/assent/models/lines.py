"""The lines of a provider's answer, from any cut of its bytes, within bounds. Pure.

What a line means, each format's parser knows.
"""

from assent.errors import ModelUnavailable
from assent.models.model import ENDLESS

DATA = b"data:"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
LONGEST = 4 * 1024 * 1024
"""Bytes of one line, or of an answer in one document: more than any answer has."""
LONGEST_SILENCE = 4 * 1024 * 1024
"""Bytes in a row without a word in them."""


class Lines:
    """Holds half a line until the rest of it is there.

    `unsaid` are the bytes since the last word: whoever reads one sets it back.
    """

    __slots__ = ("_rest", "unsaid")

    def __init__(self) -> None:
        self._rest = bytearray()
        self.unsaid = 0

    @property
    def rest(self) -> bytes:
        """What came after the last line."""
        return bytes(self._rest)

    def split(self, data: bytes) -> list[bytes]:
        """The lines that are whole now, without their ends."""
        self.unsaid += len(data)
        if self.unsaid > LONGEST_SILENCE:
            raise ModelUnavailable(ENDLESS)
        lines = data.split(b"\n")
        if self._rest:
            hold(self._rest, lines[0])
            if len(lines) == 1:
                return []
            lines[0] = bytes(self._rest)
        self._rest = bytearray(lines.pop())
        return lines


def hold(held: bytearray, more: bytes) -> None:
    """Add to what waits for its end."""
    if len(held) + len(more) > LONGEST:
        raise ModelUnavailable(ENDLESS)
    held += more
