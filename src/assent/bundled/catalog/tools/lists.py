"""The tools that read: each is a list of the catalog, offered to models."""

from assent.bundled.catalog.declaration import plugin
from assent.bundled.catalog.dependencies import list_dependencies
from assent.bundled.catalog.environments import list_environments
from assent.bundled.catalog.groups import list_groups
from assent.bundled.catalog.systems import list_systems

plugin.project(
    list_systems,
    tool="catalog.listSystems",
    description="List the systems that are run here, with ids, groups and environments. "
    "Use `q` to find one by name; other tools take the ids found here.",
    examples=["Which systems do we have?"],
)
plugin.project(
    list_groups,
    tool="catalog.listGroups",
    description="List groups of systems, with the ids of the systems in each.",
)
plugin.project(
    list_environments,
    tool="catalog.listEnvironments",
    description="List the environments that systems run in, such as production and staging.",
)
plugin.project(
    list_dependencies,
    tool="dependency.list",
    title="List dependencies",
    description="List which system depends on which, and how strongly: `hard` means that it "
    "fails without. With `systemId` only those with that system at either end.",
    examples=["Which systems depend on which?"],
)
