"""What reaches beyond the database: the network and scripts. Open only outside transactions."""

from dataclasses import dataclass, field, replace

from assent.net.web import Web
from assent.sandbox.scripts import Scripts


@dataclass(frozen=True, slots=True)
class Outside:
    """Made once by `main`."""

    http: Web = field(default_factory=Web)
    scripts: Scripts = field(default_factory=Scripts)

    def opened(self) -> "Outside":
        http = self.http.opened()
        return Outside(http, replace(self.scripts, http=http))
