"""What a verification found, and how it is told. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from assent.audit.finding import Finding
from assent.audit.verify import LogReport

SHOWN = 50

Basis: TypeAlias = Literal["master key", "given", "file"]

TRUST: dict[Basis, str] = {
    "master key": "Signatures were checked with the master key of this installation.",
    "given": "Signatures were checked with the public keys that you gave.",
    "file": "Signatures were checked with the keys in the file itself: this shows that the file "
    "is consistent, not who made it. Give --public-key to know.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`findings` are those that are about no single log."""

    trust: Basis
    logs: tuple[tuple[str, LogReport], ...]
    findings: tuple[Finding, ...]

    @property
    def is_sound(self) -> bool:
        return not self.findings and not any(log.findings for _, log in self.logs)

    def tell(self) -> Iterator[str]:
        """One line per log and finding; `✗` is a fault, `·` worth knowing."""
        yield f"· {TRUST[self.trust]}"
        for finding in self.findings:
            yield f"✗ {finding.message}"
        for name, log in self.logs:
            yield from _tell_log(name, log)
        yield "Nothing was changed." if self.is_sound else "This log is not as it was written."


def _tell_log(name: str, log: LogReport) -> Iterator[str]:
    mark = "✗" if log.findings else "✓"
    sealed = f"entries {log.after + 1} to {log.through}, signed heads: {log.heads}"
    yield f"{mark} {name}: {sealed if log.heads else 'nothing is sealed'}."
    for finding in log.findings[:SHOWN]:
        yield f"✗ {name}: {finding.message}"
    if len(log.findings) > SHOWN:
        yield f"✗ {name}: and {len(log.findings) - SHOWN} more."
    if log.unsealed:
        yield (
            f"· {name}: not sealed yet: {log.unsealed}, the oldest of {log.oldest_unsealed}. "
            "Nothing can be said about these."
        )
