"""`assent apply -f`: documents made true, all of them or none, each with its audit entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from assent.audit.entry import Actor
from assent.audit.record import record
from assent.commands import Installation, load_tenant, operator
from assent.db.database import Db, savepoint
from assent.documents import Found
from assent.errors import AssentError, Conflict, Invalid, Issue
from assent.identity.store.tenants import list_workspaces
from assent.main import build_procedures
from assent.plugins.document import POINT
from assent.plugins.extension import Contribution
from assent.tools.schema import parse_value

MOST_WORKSPACES = 100_000
SHOWN = 20
HEAD = ("kind", "workspace")


class _Undone(Exception):
    """Leaves the transaction without keeping anything of it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line for whoever applied, and whether it is a complaint."""

    line: str
    is_wrong: bool = False


async def apply_documents(
    installation: Installation, documents: Sequence[Found], *, tenant: str, dry_run: bool
) -> list[Said]:
    """What became of each document, in their order; after a complaint nothing was kept."""
    said: list[Said] = []
    try:
        async with installation.database.transaction() as db:
            owner = await load_tenant(db, tenant)
            deed = _Deed(installation, db, owner.id, await _list_slugs(db, owner.id))
            for one in documents:
                said += await deed.apply(one)
            if dry_run or any(one.is_wrong for one in said):
                raise _Undone
    except _Undone:
        pass
    return said


async def _list_slugs(db: Db, tenant_id: UUID) -> dict[str, UUID]:
    found = await list_workspaces(db, tenant_id, among=None, after=None, limit=MOST_WORKSPACES)
    return {one.slug: one.id for one in found}


class _Deed:
    """Applies documents one after the other, in one transaction."""

    def __init__(
        self, installation: Installation, db: Db, tenant_id: UUID, workspaces: dict[str, UUID]
    ) -> None:
        self._db = db
        self._tenant_id = tenant_id
        self._workspaces = workspaces
        self._loaded = installation.loaded
        self._procedures = build_procedures(
            installation.database,
            settings=installation.settings,
            loaded=installation.loaded,
            vault=installation.vault,
        )

    async def apply(self, found: Found) -> list[Said]:
        try:
            async with savepoint(self._db):
                return [Said(f"{found.kind} {found.name}: {await self._make_true(found)}")]
        except (Invalid, Conflict) as error:
            issues = error.issues or (Issue("", error.message),)
            return [Said(_complain(found, one), is_wrong=True) for one in issues]
        except AssentError as error:
            return [Said(_complain(found, Issue("", error.message)), is_wrong=True)]

    async def _make_true(self, found: Found) -> str:
        contribution = self._find_kind(found)
        body = {name: value for name, value in found.body.items() if name not in HEAD}
        body["workspaceId"] = str(self._find_workspace(found))
        draft = parse_value(contribution.value.Draft, body)
        plugin = next(one for one in self._loaded.plugins if one.name == contribution.plugin)
        ctx = await self._procedures.build_context(
            self._db, operator(self._tenant_id), plugin=plugin.name, rule=plugin.rules[0]
        )
        done: str = await contribution.value().apply(ctx, draft)
        await record(
            self._db,
            self._tenant_id,
            Actor("service", None, "command line"),
            edge="command",
            action=f"{plugin.name}.applyDocument",
            effect="mutate",
            arguments=found.body,
        )
        return done

    def _find_kind(self, found: Found) -> Contribution:
        known = self._loaded.contributions[POINT]
        if found.kind not in known:
            names = ", ".join(known) or "none"
            raise Invalid.at("kind", f"There is no kind {found.kind!r}. Known are: {names}.")
        return known[found.kind]

    def _find_workspace(self, found: Found) -> UUID:
        slug = found.body.get("workspace")
        if slug is None:
            raise Invalid.at("workspace", "This field is required.")
        if not isinstance(slug, str) or slug not in self._workspaces:
            known = ", ".join(sorted(self._workspaces)[:SHOWN])
            raise Invalid.at("workspace", f"There is no workspace {slug}. Known are: {known}.")
        return self._workspaces[slug]


def _complain(found: Found, issue: Issue) -> str:
    named = f" ({f'{found.kind} {found.name}'.strip()})" if found.name else ""
    subject = f"{found.where}{named}"
    return ": ".join(part for part in (subject, issue.path, issue.message) if part)
