/** All maintenance windows of the chosen workspace, those that begin last first. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Wrench } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { MaintenanceWindow, WindowFilter } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Badges } from "../../ui/badge";
import { deferred, Later } from "../../ui/deferred";
import type { Column } from "../../ui/table";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "../catalog/entry-list";
import { EntryName } from "../catalog/entry-name";
import { usePlacement } from "../catalog/placement";
import { nameOf, namesOf, useSystems } from "../catalog/use-directory";
import { AddressButton } from "../timeline/address-dialog";
import { type Filter, FilterSelects, useFilters } from "../timeline/filters";
import { WINDOWS, windowsPaged } from "./requests";
import { Span } from "./span";
import { StatusBadge } from "./status-badge";

const words = texts.maintenance;

const NewWindow = deferred(async () => (await import("./window-dialogs")).NewWindow);

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: texts.timeline.status,
    any: words.anyStatus,
    choices: [
      { value: "open", label: words.open },
      ...Object.entries(words.statuses).map(([value, label]) => ({ value, label })),
    ],
  },
];

export function WindowList() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const filters = useFilters(FILTERS);
  const placement = usePlacement("maintenance.window.manage");
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const { status = null } = filters.values;
  const query = useInfiniteQuery(
    windowsPaged({
      workspaceId: workspace?.id ?? null,
      q: search.settled,
      open: status === "open" ? true : null,
      status: (status === "open" ? null : status) as WindowFilter["status"],
    }),
  );
  return (
    <>
      <EntryList
        words={words}
        icon={Wrench}
        query={query}
        columns={useColumns(workspace?.id ?? null)}
        search={search}
        filters={<FilterSelects filters={FILTERS} state={filters} />}
        onClearFilters={filters.active ? filters.clear : null}
        more={<AddressButton requests={WINDOWS} placement={placement} />}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && (
        <Later>
          <NewWindow
            placement={placement}
            onClose={() => setCreating(false)}
            onCreated={({ id }) => void navigate(`${WINDOWS.path}/${id}`)}
          />
        </Later>
      )}
    </>
  );
}

function useColumns(workspaceId: string | null): Column<MaintenanceWindow>[] {
  const { workspaces } = useMe();
  const systems = useSystems(workspaceId);
  return [
    {
      key: "title",
      label: texts.timeline.title,
      className: "w-full max-w-0",
      cell: (window) => (
        <EntryName
          to={`${WINDOWS.path}/${window.id}`}
          name={window.title}
          description={window.description}
          workspace={workspaceId === null ? nameOf(window.workspaceId, workspaces) : null}
        />
      ),
    },
    {
      key: "systems",
      label: texts.timeline.systems,
      from: "desktop",
      cell: ({ systemIds }) => <Badges names={namesOf(systemIds, systems)} most={2} />,
    },
    {
      key: "when",
      label: words.when,
      from: "tablet",
      className: "min-w-44 text-muted",
      cell: ({ startsAt, endsAt }) => <Span startsAt={startsAt} endsAt={endsAt} />,
    },
    {
      key: "status",
      label: texts.timeline.status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
  ];
}
