"""A route that a request is known by in spans and measurements, as those of the framework are."""

from starlette.routing import Match, Route
from starlette.types import Scope


class NamedRoute(Route):
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        if match is not Match.NONE:
            found["route"] = self
        return match, found
