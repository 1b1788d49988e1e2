"""Logs for tests: sealed as the sealer would, and then tampered with."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from assent.audit.head import Head, KeptHead
from assent.audit.link import START, Content, Linked, extend
from assent.audit.signing import Signing, Trust
from assent.audit.verify import LogReport, LogVerifier
from assent.vault.keys import KeyRing, MasterKey

TENANT = UUID(int=7)
KEY = MasterKey(b"k" * 32)
OTHER_KEY = MasterKey(b"o" * 32)
SIGNING = Signing(lambda: KeyRing(KEY))
TRUST = Trust(SIGNING.list_public_keys())


def make_content(number: int, **changes: str | None) -> dict[str, str | None]:
    return {
        "id": str(UUID(int=number)),
        "tenantId": str(TENANT),
        "occurredAt": f"2026-01-02T03:04:{number % 60:02}.000000Z",
        "edge": "rest",
        "action": "catalog.createSystem",
        "effect": "mutate",
        "status": "executed",
        "actorKind": "user",
        "actorId": str(UUID(int=1000 + number)),
        "actorName": f"Person {number}",
        "deciderKind": None,
        "deciderId": None,
        "deciderName": None,
        "argumentsHash": f"{number:064x}",
        "conversationId": None,
        "runId": None,
        "proposalId": None,
        **changes,
    }


@dataclass
class TestLog:
    """Rows in the order in which they are read, and heads."""

    __test__ = False

    rows: list[Linked] = field(default_factory=list[Linked])
    heads: list[Head] = field(default_factory=list[Head])
    unsealed: list[Content] = field(default_factory=list[Content])
    after: int = 0

    def items(self) -> Iterable[Linked | Head]:
        heads = sorted(self.heads, key=lambda head: head.position)
        rows = list(self.rows)
        for head in heads:
            while rows and rows[0].position <= head.position:
                yield rows.pop(0)
            yield head
        yield from rows

    def verify(self, *kept: KeptHead, trust: Trust = TRUST) -> LogReport:
        verifier = LogVerifier(TENANT, trust.judge, kept=kept, after=self.after)
        for item in self.items():
            if isinstance(item, Head):
                verifier.add_head(item)
            else:
                verifier.add_entry(item)
        for content in self.unsealed:
            verifier.add_unsealed(content)
        return verifier.finish()

    def faults(self, *kept: KeptHead) -> list[tuple[str, int, int]]:
        return [(one.fault, one.first, one.last) for one in self.verify(*kept).findings]

    def change(self, index: int, **fields: str | None) -> None:
        row = self.rows[index]
        self.rows[index] = replace(row, content={**row.content, **fields})

    def set_row(self, index: int, **fields: Any) -> None:
        self.rows[index] = replace(self.rows[index], **fields)

    def renumber(self, index: int, by: int) -> None:
        for one in range(index, len(self.rows)):
            self.set_row(one, position=self.rows[one].position + by)

    def relink(self, index: int, end: int) -> None:
        """Make the links anew from here, as somebody who knows the hash but not the key can."""
        for one in range(index, end):
            before = self.rows[one - 1].link if one else START
            self.set_row(one, link=extend(before, self.rows[one].content))


def make_log(batches: Sequence[int], *, signing: Signing = SIGNING) -> TestLog:
    log = TestLog()
    link, position = START, 0
    for size in batches:
        for _ in range(size):
            position += 1
            content = make_content(position)
            link = extend(link, content)
            log.rows.append(Linked(position, link, content))
        log.heads.append(sign(position, size, link, signing))
    return log


def sign(position: int, entries: int, link: bytes, signing: Signing = SIGNING) -> Head:
    return signing.sign(
        Head(
            tenant_id=TENANT,
            position=position,
            entries=entries,
            link=link,
            signed_at="2026-01-02T03:05:00.000000Z",
            key_id="",
        )
    )


def keep(log: TestLog, index: int) -> KeptHead:
    head = log.heads[index]
    return KeptHead(head.tenant_id, head.position, head.link)
