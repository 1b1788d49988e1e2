"""What a probe is given to look around with: the way out that its check was given, and no other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from assent.plugins.api import Limits, Scripts, Web

MOST_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """`http` gets to the places that the check names. All of it has `seconds`, then it is over."""

    http: Web
    scripts: Scripts
    now: datetime
    seconds: float
    origins: tuple[str, ...]
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Values by name, of those that the check names."""

    @property
    def limits(self) -> Limits:
        return Limits(
            seconds=self.seconds, connecting=min(3.0, self.seconds), body_bytes=MOST_BYTES
        )
