"""Verifying all logs of an export, or of the database read as one."""

from collections.abc import AsyncIterator, Iterable, Sequence
from uuid import UUID

from assent.audit.finding import Finding
from assent.audit.head import Head, KeptHead
from assent.audit.lines import Beginning, End, Item, Key, Log, Unreadable, Unsealed, parse_line
from assent.audit.link import Linked
from assent.audit.report import Basis, Report
from assent.audit.signing import Trust
from assent.audit.verify import LogReport, LogVerifier


async def verify_items(
    items: AsyncIterator[Item], trust: Trust, kept: Sequence[KeptHead]
) -> Report:
    """The database, read as an export would be."""
    verification = Verification(trust, kept)
    async for item in items:
        verification.add(item)
    return verification.finish("master key")


def verify_lines(
    lines: Iterable[str], public_keys: tuple[bytes, ...], kept: Sequence[KeptHead]
) -> Report:
    """A file. Without public keys from elsewhere those in the file have to do."""
    verification = Verification(Trust({}, public_keys) if public_keys else None, kept)
    for line in lines:
        try:
            verification.add(parse_line(line))
        except Unreadable:
            verification.add_unreadable()
    return verification.finish("given" if public_keys else "file")


class Verification:
    """Hands each log to a verifier of its own. Without `trust` the keys among the items count."""

    def __init__(self, trust: Trust | None, kept: Sequence[KeptHead]) -> None:
        self._trust = trust
        self._kept = kept
        self._keys: dict[str, bytes] = {}
        self._logs: list[tuple[str, LogReport]] = []
        self._open: tuple[str, LogVerifier] | None = None
        self._sealed_part_is_over = False
        self._seen: set[UUID] = set()
        self._findings: list[Finding] = []
        self._lines = 0
        self._ended = False

    def add(self, item: Item) -> None:
        self._lines += 1
        match item:
            case Key() if not self._seen:
                self._keys[item.key_id] = item.public_key
            case Log() if item.tenant_id not in self._seen:
                self._begin(item)
            case Linked() | Head() if self._open and not self._sealed_part_is_over:
                _feed(self._open[1], item)
            case Unsealed() if self._open:
                self._sealed_part_is_over = True
                self._open[1].add_unsealed(item.content)
            case End(lines=self._lines):
                self._ended = True
            case Beginning() if self._lines == 1:
                pass
            case _:
                self._find(f"Line {self._lines} does not belong where it stands.")

    def add_unreadable(self) -> None:
        self._lines += 1
        self._find(f"Line {self._lines} cannot be read.")

    def finish(self, trust: Basis) -> Report:
        self._close()
        if not self._ended:
            self._find("The export is not whole: lines are missing, or its end is.")
        for kept in self._kept:
            if kept.tenant_id not in self._seen:
                self._find(f"There is no log of {kept.tenant_id}, of which a head was kept.")
        return Report(trust=trust, logs=tuple(self._logs), findings=tuple(self._findings))

    def _begin(self, log: Log) -> None:
        self._close()
        self._seen.add(log.tenant_id)
        judge = (self._trust or Trust(self._keys)).judge
        verifier = LogVerifier(log.tenant_id, judge, kept=self._kept, after=log.after)
        self._open, self._sealed_part_is_over = (log.name, verifier), False

    def _close(self) -> None:
        if self._open is not None:
            name, verifier = self._open
            self._logs.append((name, verifier.finish()))
            self._open = None

    def _find(self, message: str) -> None:
        self._findings.append(Finding("unreadable", 0, 0, message))


def _feed(verifier: LogVerifier, item: Linked | Head) -> None:
    if isinstance(item, Head):
        verifier.add_head(item)
    else:
        verifier.add_entry(item)
