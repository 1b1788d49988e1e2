"""What was done to a stretch of the log that does not fit its signed head. Pure.

The links are evidence: each entry fits exactly one link before it, wherever the entry stands now.
So the true order is walked from the head before to the head after, and what differs is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assent.audit.finding import Finding, name_entries
from assent.audit.link import Linked, extend

REACH = 2000
"""How far ahead the entry that comes next is looked for."""


@dataclass(frozen=True, slots=True)
class Tail:
    """A place in the log that a signature vouches for."""

    position: int
    link: bytes


@dataclass(frozen=True, slots=True)
class Step:
    """One entry on the walk. `fits` says that its content leads from one link to the other."""

    row: Linked
    before: bytes
    after: bytes
    fits: bool
    place: int = 0


@dataclass(slots=True)
class Diagnosis:
    """`left` are rows that belong after the head: an entry before them was taken out."""

    findings: list[Finding] = field(default_factory=list[Finding])
    left: list[Linked] = field(default_factory=list[Linked])


def diagnose(base: Tail, rows: Sequence[Linked], head: Tail) -> Diagnosis:
    walk = Walk(base, rows, head)
    walk.run()
    left = walk.split_left()
    inserted = [
        Finding(
            "inserted",
            row.position,
            row.position,
            f"Entry {row.position} ({row.id}) was inserted: it has no place between its "
            "neighbours.",
        )
        for row in (*walk.inserted, *walk.unused)
    ]
    steps, found = _find_places(walk, base, head)
    findings = [*inserted, *found, *_find_moved(steps), *_find_links(steps)]
    if not findings:
        findings.append(_rewritten(base, head))
    return Diagnosis(sorted(findings, key=lambda finding: finding.first), left)


class Walk:
    """Follows the links from the base to the head, through whatever is there."""

    def __init__(self, base: Tail, rows: Sequence[Linked], head: Tail) -> None:
        self.unused = list(rows)
        self.steps: list[Step] = []
        self.inserted: list[Linked] = []
        self._order = {id(row): index for index, row in enumerate(rows)}
        self._known = {row.link for row in rows} | {head.link}
        self._goal = head.link
        self._link = base.link

    @property
    def arrived(self) -> bool:
        return self._link == self._goal

    def run(self) -> None:
        while self.unused and not self.arrived:
            index = self._find_next(self._link)
            if index is not None:
                self._take(index)
            elif self._follows_goal(self.unused[0]):
                break
            elif not self._drop_inserted():
                self._take_broken()
        self._return_to_goal()

    def split_left(self) -> list[Linked]:
        """Take out what follows the head."""
        last = max((self._order[id(step.row)] for step in self.steps), default=-1)
        inside = [row for row in self.unused if self._order[id(row)] <= last]
        behind = self.unused[len(inside) :]
        if not behind or not self._follows_goal(behind[0]):
            return []
        self.unused = inside
        return behind

    def _follows_goal(self, row: Linked) -> bool:
        return extend(self._goal, row.content) in self._known

    def _find_next(self, link: bytes) -> int | None:
        candidates = enumerate(self.unused[:REACH])
        return next((i for i, row in candidates if extend(link, row.content) in self._known), None)

    def _take(self, index: int) -> None:
        row = self.unused.pop(index)
        after = extend(self._link, row.content)
        self.steps.append(Step(row, self._link, after, fits=True))
        self._link = after

    def _drop_inserted(self) -> bool:
        """Entries with links made to fit stand between two that fit each other: leave them out."""
        for back, step in enumerate(reversed(self.steps[-REACH:]), start=1):
            if extend(step.before, self.unused[0].content) in self._known:
                self.inserted += [one.row for one in self.steps[-back:]]
                del self.steps[-back:]
                self._link = step.before
                return True
        return False

    def _take_broken(self) -> None:
        """Nothing fits here. Either only the link was altered, or we go on from what it says."""
        row = self.unused.pop(0)
        own = extend(self._link, row.content)
        only_link = self._find_next(own) is not None
        after = own if only_link else row.link
        self.steps.append(Step(row, self._link, after, fits=only_link))
        self._link = after

    def _return_to_goal(self) -> None:
        """What was put behind the last entry of the stretch does not belong to it."""
        for index, step in enumerate(self.steps[:-1]):
            if not self.arrived and step.after == self._goal:
                self.inserted += [one.row for one in self.steps[index + 1 :]]
                del self.steps[index + 1 :]
                self._link = self._goal
                return


def _find_places(walk: Walk, base: Tail, head: Tail) -> tuple[list[Step], list[Finding]]:
    """Give each step its true place, and name what is missing or does not fit."""
    missing = head.position - base.position - len(walk.steps)
    broken = sum(not step.fits for step in walk.steps)
    placed: list[Step] = []
    findings: list[Finding] = []
    place, since = base.position, base.position
    for step in walk.steps:
        place += 1
        if not step.fits:
            gap = step.row.position - place
            gone = min(gap, missing) if gap > 0 else 0
            if gone <= 0 and missing > 0 and broken == 1 and walk.arrived:
                gone = missing
            if gone > 0:
                findings.append(_removed(place, place + gone - 1, unchecked=step.row))
                place, missing = place + gone, missing - gone
            else:
                findings.append(_changed(step.row, since, ambiguous=missing != 0))
        placed.append(replace(step, place=place))
    if missing > 0 and not walk.arrived:
        findings.append(_removed(place + 1, head.position, unchecked=None))
    elif not walk.arrived and not findings:
        findings.append(_rewritten(base, head))
    return placed, findings


def _find_moved(steps: Sequence[Step]) -> list[Finding]:
    """Entries whose number is not their place; neighbours with one cause are one finding."""
    findings: list[Finding] = []
    run: list[Step] = []
    for step in (*steps, None):
        shift = step.row.position - step.place if step else 0
        if run and (step is None or shift != run[-1].row.position - run[-1].place):
            findings.append(_moved(run))
            run = []
        if step is not None and shift:
            run.append(step)
    return findings


def _find_links(steps: Sequence[Step]) -> list[Finding]:
    return [
        Finding(
            "changed",
            step.row.position,
            step.row.position,
            f"The link of entry {step.row.position} ({step.row.id}) was changed; "
            "its content is as it was.",
        )
        for step in steps
        if step.fits and step.after != step.row.link and step.row.position == step.place
    ]


def _moved(run: Sequence[Step]) -> Finding:
    first, last = run[0], run[-1]
    if len(run) == 1:
        place = first.row.position
        text = f"Entry {place} ({first.row.id}) was moved: it belongs at {first.place}."
        return Finding("moved", place, place, text)
    text = (
        f"Entries {first.row.position} to {last.row.position} were renumbered: "
        f"they belong at {first.place} to {last.place}."
    )
    return Finding("moved", first.row.position, last.row.position, text)


def _removed(first: int, last: int, *, unchecked: Linked | None) -> Finding:
    verb = "was" if first == last else "were"
    text = f"{name_entries(first, last)} {verb} removed."
    if unchecked is not None:
        text += f" What follows ({unchecked.id}) cannot be checked without it."
    return Finding("removed", first, last, text)


def _changed(row: Linked, since: int, *, ambiguous: bool) -> Finding:
    text = f"Entry {row.position} ({row.id}) was changed"
    if ambiguous:
        text += ", or something before it was removed or inserted"
    if row.position > since + 1:
        text += f", or entries after {since} were replaced together with their links"
    return Finding("changed", row.position, row.position, f"{text}.")


def _rewritten(base: Tail, head: Tail) -> Finding:
    first, last = base.position + 1, head.position
    text = (
        f"{name_entries(first, last)}: they fit each other, but not the signed head at {last}. "
        "One or more of them were changed and the links made anew."
    )
    return Finding("rewritten", first, last, text)
