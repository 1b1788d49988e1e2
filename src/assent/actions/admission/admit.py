"""From a program's credential to its principal, with one call of its budget taken on the way.

One way to Postgres instead of two, which is a tenth of a short call. Where there is no room nothing
is taken: the door then looks for itself, and refuses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assent.actions.admission import store
from assent.actions.budget import Budget, Taken
from assent.actions.means import Means
from assent.db.database import Db, Row
from assent.identity.authenticate import authenticate_key
from assent.identity.oauth.authenticate import authenticate_token
from assent.identity.principal import Principal


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who asks; `taken` where a call of theirs was counted already."""

    principal: Principal
    taken: Taken | None = None


async def admit(means: Means, credential: str, resource: str) -> Admitted | None:
    """For a request that calls one tool. Nobody where the credential is good for nothing."""
    taking = _Taking(means.budget, resource)
    principal = await authenticate_token(
        means.database, credential, resource, taking.find_access
    ) or await authenticate_key(means.database, credential, taking.find_key)
    return Admitted(principal, taking.taken) if principal else None


class _Taking:
    """Finds credentials as `identity` does, and takes a call along with them."""

    def __init__(self, budget: Budget, resource: str) -> None:
        self._budget = budget
        self._resource = resource
        self.taken: Taken | None = None

    async def find_key(self, db: Db, key_hash: bytes) -> Sequence[Row]:
        calls, window = self._budget.calls, self._budget.window
        return self._note(await store.admit_key(db, key_hash, calls=calls, window=window))

    async def find_access(self, db: Db, token_hash: bytes) -> Sequence[Row]:
        calls, window, resource = self._budget.calls, self._budget.window, self._resource
        found = await store.admit_token(
            db, token_hash, calls=calls, window=window, resource=resource
        )
        return self._note(found)

    def _note(self, rows: Sequence[Row]) -> Sequence[Row]:
        if rows and rows[0]["is_taken"]:
            self.taken = Taken(rows[0]["vault_version"])
        return rows
