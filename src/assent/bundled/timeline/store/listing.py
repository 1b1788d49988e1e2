"""How lists of what has a timeline are filtered; their tables have these columns in common."""

from uuid import UUID

from assent.bundled.timeline.values import SubjectQuery
from assent.plugins.api import Scope

VISIBLE = """
tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
"""
MATCHING = f"""{VISIBLE}
  AND ($5::uuid IS NULL OR workspace_id = $5)
  AND ($6::uuid IS NULL OR $6 = ANY (system_ids))
  AND ($7 = '' OR strpos(lower(title || ' ' || description), lower($7)) > 0)
"""


def where_visible(tenant_id: UUID, scope: Scope) -> tuple[object, ...]:
    """The arguments of VISIBLE."""
    return tenant_id, scope.everywhere, list(scope.workspace_ids), list(scope.resource_ids)


def where_matching(tenant_id: UUID, scope: Scope, query: SubjectQuery) -> tuple[object, ...]:
    """The arguments of MATCHING."""
    return (
        *where_visible(tenant_id, scope),
        query.workspace_id,
        query.system_id,
        query.q,
    )
