"""People and access as procedures: the routes, rules and schemas of `identity`."""

from assent.plugins.administration import applications, roles, teams, users, workspaces
from assent.plugins.administration.declaration import plugin

__all__ = ["applications", "plugin", "roles", "teams", "users", "workspaces"]
