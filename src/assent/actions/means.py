"""What acting on tools needs, in one value."""

from dataclasses import dataclass, field, replace
from typing import Protocol

from assent.actions.budget import Budget
from assent.db.database import Database, Db
from assent.identity.principal import Principal
from assent.plugins.load import Loaded
from assent.plugins.procedure import Context
from assent.plugins.run import Procedures
from assent.telemetry.telemetry import Telemetry
from assent.tools.tool import Tool
from assent.vault.scrubbing import Scrubbing
from assent.vault.vault import Vault
from assent.work.hearing import Hearing


class Sight(Protocol):
    """What it takes to see a proposal: the tool that it is about, and what is sealed in it."""

    @property
    def vault(self) -> Vault: ...
    def find_tool(self, name: str) -> Tool | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """Made once by `main`. A `Sight`, too."""

    database: Database
    vault: Vault
    procedures: Procedures
    loaded: Loaded
    budget: Budget
    scrubbing: Scrubbing
    telemetry: Telemetry = field(default_factory=Telemetry)
    hearing: Hearing = field(default_factory=Hearing)

    def find_tool(self, name: str) -> Tool | None:
        return self.loaded.tools.find(name)

    async def open_context(
        self, db: Db, principal: Principal, tool: Tool, *, calls_out: bool = False
    ) -> Context:
        """The context of a tool's code: it acts as the principal, and as nobody else."""
        plugin = self.loaded.find_plugin(tool)
        rule = tool.rules[0] if tool.rules else None
        ctx = await self.procedures.build_context(db, principal, plugin=plugin.name, rule=rule)
        return replace(ctx, outside=ctx.outside.opened()) if calls_out else ctx
