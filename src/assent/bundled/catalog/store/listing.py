"""How every list of the catalog is filtered and ordered."""

from uuid import UUID

from assent.plugins.api import Scope

VISIBLE = """
tenant_id = $1
  AND ($2::boolean OR workspace_id = ANY ($3::uuid[]) OR id = ANY ($4::uuid[]))
  AND ($5::uuid IS NULL OR workspace_id = $5)
"""
MATCHING = f"""{VISIBLE}
  AND ($6 = '' OR strpos(lower(name || ' ' || description), lower($6)) > 0)
  AND ($7::text IS NULL OR (lower(name), id) > (lower($7), $8::uuid))
"""
BY_NAME = "ORDER BY lower(name), id LIMIT $9"


def where_visible(tenant_id: UUID, scope: Scope, workspace_id: UUID | None) -> tuple[object, ...]:
    """The arguments of VISIBLE."""
    return (
        tenant_id,
        scope.everywhere,
        list(scope.workspace_ids),
        list(scope.resource_ids),
        workspace_id,
    )
