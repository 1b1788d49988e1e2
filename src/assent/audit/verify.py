"""Checking one tenant's log against its links and its signed heads. Pure.

It is fed in order with entries and heads, from the database or from a file, and keeps no more than
the stretch between two heads.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.audit.diagnose import Tail, diagnose
from assent.audit.finding import Fault, Finding, name_entries
from assent.audit.head import Head, KeptHead
from assent.audit.link import START, Content, Linked, extend

LOOKAHEAD = 64
"""Rows read beyond a head in search of the entry that it names, when it is not where it belongs."""

Judge = Callable[[Head], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReport:
    """What was looked at, from the position `after`, and what was found."""

    tenant_id: UUID
    after: int
    through: int
    heads: int
    unsealed: int
    oldest_unsealed: str | None
    findings: tuple[Finding, ...]


class LogVerifier:
    def __init__(
        self, tenant_id: UUID, judge: Judge, *, kept: Sequence[KeptHead] = (), after: int = 0
    ) -> None:
        self._tenant_id = tenant_id
        self._judge = judge
        self._kept = sorted(
            (one for one in kept if one.tenant_id == tenant_id), key=lambda one: one.position
        )
        self._after = after
        self._base = Tail(after, START)
        self._anchored = after == 0
        self._rows: list[Linked] = []
        self._heads: deque[Head] = deque()
        self._last_head = after
        self._doubtful = False
        self._findings: list[Finding] = []
        self._count = 0
        self._unsealed = 0
        self._oldest_unsealed: str | None = None

    def add_entry(self, row: Linked) -> None:
        self._rows.append(row)
        if self._heads:
            self._advance(final=False)

    def add_head(self, head: Head) -> None:
        if not self._is_sound(head):
            self._doubtful = True
        elif not self._anchored and head.position == self._after:
            self._base, self._anchored = Tail(head.position, head.link), True
        elif head.position <= self._last_head:
            self._find("head", head.position, f"The head at {head.position} is out of order.")
        else:
            self._last_head = head.position
            self._heads.append(head)
            self._advance(final=False)

    def add_unsealed(self, content: Content) -> None:
        self._unsealed += 1
        occurred_at = content.get("occurredAt") or ""
        self._oldest_unsealed = min(self._oldest_unsealed or occurred_at, occurred_at)

    def finish(self) -> LogReport:
        self._advance(final=True)
        if not self._anchored:
            self._find(
                "head", self._after, f"No signed head vouches for the start after {self._after}."
            )
        self._compare_kept([], self._base)
        if self._rows:
            self._find_unsigned()
        self._find_cut_off()
        return LogReport(
            tenant_id=self._tenant_id,
            after=self._after,
            through=self._base.position,
            heads=self._count,
            unsealed=self._unsealed,
            oldest_unsealed=self._oldest_unsealed,
            findings=tuple(self._findings),
        )

    def _is_sound(self, head: Head) -> bool:
        verdict = self._judge(head)
        if verdict == "valid" and head.tenant_id == self._tenant_id:
            return True
        what = {
            "valid": f"belongs to the log of {head.tenant_id}",
            "forged": "was changed or forged: its signature is wrong",
            "unknown_key": f"is signed with the key {head.key_id}, which is not trusted here",
        }
        self._find("head", head.position, f"The head at {head.position} {what[verdict]}.")
        return False

    def _advance(self, *, final: bool) -> None:
        while self._heads:
            end = self._find_end(self._heads[0], final=final)
            if end is None:
                return
            head = self._heads.popleft()
            stretch, self._rows = self._rows[:end], self._rows[end:]
            self._close(stretch, head)

    def _find_end(self, head: Head, *, final: bool) -> int | None:
        """How many rows belong up to this head; `None` while more have to be seen."""
        rows = self._rows
        if rows and rows[-1].link == head.link:
            return len(rows)
        inside = [i for i, row in enumerate(rows, start=1) if row.position <= head.position]
        named = [i for i, row in enumerate(rows, start=1) if row.link == head.link]
        end = max(inside[-1:] + named[-1:], default=0)
        if not named and not final and len(rows) - end < LOOKAHEAD:
            return None
        return end

    def _close(self, stretch: Sequence[Linked], head: Head) -> None:
        if head.position - head.entries != self._base.position and not self._doubtful:
            self._find(
                "head",
                self._base.position + 1,
                f"A head between {self._base.position} and {head.position} was removed.",
                last=head.position,
            )
        tail = Tail(head.position, head.link)
        if not _is_intact(self._base, stretch, tail):
            diagnosis = diagnose(self._base, stretch, tail)
            self._findings += diagnosis.findings
            self._rows = [*diagnosis.left, *self._rows]
        self._compare_kept(stretch, tail)
        self._base, self._doubtful = tail, False
        self._count += 1

    def _compare_kept(self, stretch: Sequence[Linked], tail: Tail) -> None:
        links = {row.position: row.link for row in stretch} | {tail.position: tail.link}
        while self._kept and self._kept[0].position <= tail.position:
            kept = self._kept.pop(0)
            if kept.position < self._after:
                text = f"begins after {self._after}: the head kept at {kept.position} is not in it"
            elif kept.position == self._after and self._base.link == kept.link:
                continue
            elif links.get(kept.position) != kept.link:
                text = f"is another up to {kept.position} than when that head was kept"
            else:
                continue
            self._find("kept_head", kept.position, f"This log {text}.")

    def _find_unsigned(self) -> None:
        first = min(row.position for row in self._rows)
        last = max(row.position for row in self._rows)
        text = "no signed head covers them. Heads were removed, or they were added by hand."
        self._find("unsigned", first, f"{name_entries(first, last)}: {text}", last=last)

    def _find_cut_off(self) -> None:
        end = self._base.position
        for kept in self._kept:
            self._find(
                "cut_off",
                end + 1,
                f"The log ends at {end}, but a head at {kept.position} was kept: "
                f"what came after {end} was cut off.",
                last=kept.position,
            )

    def _find(self, fault: Fault, first: int, message: str, *, last: int | None = None) -> None:
        self._findings.append(Finding(fault, first, first if last is None else last, message))


def _is_intact(base: Tail, rows: Sequence[Linked], head: Tail) -> bool:
    link, position = base.link, base.position
    for row in rows:
        link, position = extend(link, row.content), position + 1
        if row.link != link or row.position != position:
            return False
    return (position, link) == (head.position, head.link)
