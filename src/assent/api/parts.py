"""What the edge is made of. `main` builds it once; routes take it with `PartsOf`.

What is called often reads it from the request: a dependency is a twentieth of a short answer.
"""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import Request

from assent.actions.means import Means
from assent.api.monitor import Monitor
from assent.conversations.pdf import PdfReading
from assent.db.database import Database
from assent.identity.oidc import OidcClient
from assent.identity.sessions import SessionLimits
from assent.plugins.load import Loaded
from assent.plugins.run import Procedures
from assent.runs.studio import Studio
from assent.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    settings: Settings
    database: Database
    procedures: Procedures
    loaded: Loaded
    limits: SessionLimits
    oidc: OidcClient | None
    monitor: Monitor
    means: Means
    studio: Studio
    pdfs: PdfReading


def read_parts(request: Request) -> Parts:
    return cast(Parts, request.app.state.parts)


async def find_parts(request: Request) -> Parts:
    """Asynchronous, or every request would pay for a thread."""
    return read_parts(request)


PartsOf = Annotated[Parts, Depends(find_parts)]
