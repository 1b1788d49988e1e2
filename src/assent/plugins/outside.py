"""What is not the plugin's own: the network and scripts, open outside transactions; evidence.

And how proposals stand, which the assistant's own tools tell.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from uuid import UUID

from assent.db.database import Db
from assent.errors import NotFound
from assent.identity.principal import Principal
from assent.net.web import Web
from assent.sandbox.scripts import Scripts

Shown: TypeAlias = Mapping[str, Any]
FindEvidence: TypeAlias = Callable[[Db, Principal, str, str], Awaitable[Shown | None]]
"""What a principal was shown of something, by its kind and digest; `actions` keeps it."""


async def know_nothing(_db: Db, _principal: Principal, _kind: str, _digest: str) -> None:
    """Where nothing is kept."""


ReadProposal: TypeAlias = Callable[[Db, Principal, UUID], Awaitable[Mapping[str, Any]]]
"""How a proposal stands, for a principal who may see it; raise NotFound for others."""


async def know_no_proposal(_db: Db, _principal: Principal, _proposal_id: UUID) -> Mapping[str, Any]:
    """Where nothing is proposed."""
    raise NotFound


@dataclass(frozen=True, slots=True)
class Outside:
    """Made once by `main`."""

    http: Web = field(default_factory=Web)
    scripts: Scripts = field(default_factory=Scripts)
    evidence: FindEvidence = know_nothing
    proposals: ReadProposal = know_no_proposal

    def opened(self) -> "Outside":
        http = self.http.opened()
        return replace(self, http=http, scripts=replace(self.scripts, http=http))
