"""Hiding secrets in a text that arrives in pieces. Pure.

Held back is what more text might turn into a secret: the last word; what follows a word such as
`password` closely; a private key that was begun; the beginning of a value of the vault. All else
goes on at once. Whatever the pieces, together they become what the whole text would.
"""

from collections.abc import Sequence

from assent.vault.scrub.rule import Span
from assent.vault.scrub.scrubber import Scrubber, encode, hide

LAST_WORD = 512
LONGEST_WORD = 12
"""No keyword of such a script is longer."""
ASCII = "".join(map(chr, range(128)))
HELD = 20_000
"""Held back at the most, in bytes."""


class StreamScrubber:
    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._look = scrubber.rules.look
        self._values = scrubber.values
        self._looks_always = scrubber.rules.always_look
        self._held = ""
        self._last = ""
        self._swallows = False

    def feed(self, piece: str) -> str:
        """What may be shown, now that this has come."""
        text = self._held + piece
        data = encode(text)
        hits = self._look(data)
        if hits or self._looks_always or self._swallows or self._touches_values(text, data):
            return self._feed_closely(text, data, hits or ())
        cut = max(text.rfind(" "), text.rfind("\n")) + 1
        if not text.isascii():
            cut = max(cut, _find_end_of_script(text))
        if len(text) - cut > LAST_WORD:
            cut = len(text) - LAST_WORD
        if cut:
            self._last = text[cut - 1]
        self._held = text[cut:]
        return text[:cut]

    def flush(self) -> str:
        """The rest; nothing more is coming."""
        data = self._swallow(encode(self._held))
        shown = hide(data, self._find(data))
        self._held, self._last, self._swallows = "", "", False
        return shown.decode("utf-8", "surrogatepass")

    def _touches_values(self, text: str, data: bytes) -> bool:
        values = self._values
        return bool(values) and (values.are_in(data) or values.find_open(text) < len(text))

    def _feed_closely(self, text: str, data: bytes, hits: Sequence[int]) -> str:
        if self._swallows:
            data = self._swallow(data)
            text = data.decode("utf-8", "surrogatepass")
        spans = self._find(data)
        cut = self._find_cut(text, data, hits, spans)
        if len(data) - cut > HELD:
            cut = self._force_cut(data, spans)
        shown = hide(data[:cut], [span for span in spans if span.end <= cut])
        if cut:
            self._last = data[:cut].decode("utf-8", "surrogatepass")[-1]
        self._held = data[cut:].decode("utf-8", "surrogatepass")
        return shown.decode("utf-8", "surrogatepass")

    def _find(self, data: bytes) -> list[Span]:
        """With what stood before, since a rule may ask where a word or a line begins.

        A value that holds itself again would otherwise begin in what was shown already.
        """
        before = encode(self._last if self._last in ("", "\n") else f",{self._last}")
        shift = len(before)
        return [
            Span(
                max(span.since - shift, 0),
                max(span.start - shift, 0),
                span.end - shift,
                span.rank,
                span.name,
            )
            for span in self._scrubber.find(before + data, since=shift)
            if span.end > shift
        ]

    def _find_cut(self, text: str, data: bytes, hits: Sequence[int], spans: list[Span]) -> int:
        cut = max(data.rfind(b" "), data.rfind(b"\n")) + 1
        if len(data) - cut > LAST_WORD and not hits:
            cut = _find_character(data, len(data) - LAST_WORD)
        begun = self._scrubber.rules.find_open(data, hits)
        if begun < len(data):
            cut = min(cut, max(data.rfind(b" ", 0, begun), data.rfind(b"\n", 0, begun)) + 1)
        if self._values:
            cut = min(cut, len(encode(text[: self._values.find_open(text)])))
        for span in reversed(spans):
            if span.since < cut < span.end:
                cut = span.since
        return cut

    def _force_cut(self, data: bytes, spans: list[Span]) -> int:
        """Too much is held back: a secret that is still growing is hidden with all that follows."""
        cut = _find_character(data, len(data) - LAST_WORD)
        for span in spans:
            if span.start < cut < span.end:
                cut = span.end
                self._swallows = span.end == len(data)
        return cut

    def _swallow(self, data: bytes) -> bytes:
        """Without the rest of a word whose beginning was hidden."""
        if not self._swallows or not data:
            return data
        rest = data.lstrip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.-")
        self._swallows = not rest
        return rest


def _find_end_of_script(text: str) -> int:
    """Where a script that knows no blanks can be cut: credentials are written in ASCII."""
    return min(max(len(text.rstrip(ASCII)), 0), len(text) - LONGEST_WORD)


def _find_character(data: bytes, position: int) -> int:
    """Where the character begins that this byte is of."""
    while position > 0 and data[position] & 0xC0 == 0x80:
        position -= 1
    return position
