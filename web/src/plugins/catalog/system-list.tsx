/** All systems of the chosen workspace. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { System } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Badges } from "../../ui/badge";
import { deferred, Later } from "../../ui/deferred";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "./entry-list";
import { EntryName } from "./entry-name";
import { systemPath } from "./paths";
import { usePlacement } from "./placement";
import { systemsPaged } from "./requests";
import { SystemFilters, useSystemFilters } from "./system-filters";
import { nameOf, namesOf, useEnvironments, useGroups } from "./use-directory";

const NewSystem = deferred(async () => (await import("./system-dialogs")).NewSystem);

export function SystemList() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const filters = useSystemFilters();
  const placement = usePlacement("catalog.system.manage");
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(
    systemsPaged({
      workspaceId: workspace?.id ?? null,
      groupId: filters.groupId,
      environmentId: filters.environmentId,
      q: search.settled,
    }),
  );
  return (
    <>
      <EntryList
        words={texts.catalog.systems}
        icon={Server}
        query={query}
        columns={useSystemColumns(workspace?.id ?? null)}
        search={search}
        filters={<SystemFilters filters={filters} />}
        onClearFilters={filters.active ? filters.clear : null}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && (
        <Later>
          {" "}
          <NewSystem
            placement={placement}
            onClose={() => setCreating(false)}
            onCreated={(system) => void navigate(systemPath(system.id))}
          />
        </Later>
      )}
    </>
  );
}

function useSystemColumns(workspaceId: string | null): Column<System>[] {
  const { workspaces } = useMe();
  const groups = useGroups(workspaceId);
  const environments = useEnvironments(workspaceId);
  return [
    {
      key: "name",
      label: texts.catalog.name,
      className: "w-full max-w-0",
      cell: (system) => (
        <EntryName
          to={systemPath(system.id)}
          name={system.name}
          description={system.description}
          workspace={workspaceId === null ? nameOf(system.workspaceId, workspaces) : null}
        />
      ),
    },
    {
      key: "environments",
      label: texts.catalog.systems.environments,
      from: "tablet",
      cell: ({ environmentIds }) => (
        <Badges names={namesOf(environmentIds, environments)} most={2} />
      ),
    },
    {
      key: "groups",
      label: texts.catalog.systems.groups,
      from: "desktop",
      cell: ({ groupIds }) => <Badges names={namesOf(groupIds, groups)} most={2} />,
    },
    {
      key: "updated",
      label: texts.catalog.updated,
      from: "tablet",
      className: "text-muted",
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
  ];
}
