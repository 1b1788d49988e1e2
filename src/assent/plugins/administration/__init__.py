"""People, access and the audit log as procedures: the routes and rules of `identity`, `audit`."""

from assent.plugins.administration import (
    applications,
    audit,
    programs,
    role_tools,
    roles,
    teams,
    users,
    workspaces,
)
from assent.plugins.administration.declaration import plugin

__all__ = [
    "applications",
    "audit",
    "plugin",
    "programs",
    "role_tools",
    "roles",
    "teams",
    "users",
    "workspaces",
]
