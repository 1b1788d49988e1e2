"""What this edge is made of. `main` builds it once."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from assent.actions.means import Means
from assent.identity.oauth.request import Terms
from assent.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class McpParts:
    """`public_url` is how programs reach the server: its own name as issuer and audience.

    `stylesheets` are those of the pages, for what people are shown from here.
    """

    settings: Settings
    means: Means
    public_url: str
    terms: Terms
    stylesheets: tuple[str, ...] = ()

    @property
    def resource(self) -> str:
        return self.terms.resource


def read_parts(request: Request) -> McpParts:
    return cast(McpParts, request.app.state.mcp)
