/** All incidents of the chosen workspace, those that began last first. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Siren } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Incident, IncidentFilter } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Badges } from "../../ui/badge";
import { deferred, Later } from "../../ui/deferred";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "../catalog/entry-list";
import { EntryName } from "../catalog/entry-name";
import { usePlacement } from "../catalog/placement";
import { nameOf, namesOf, useSystems } from "../catalog/use-directory";
import { AddressButton } from "../timeline/address-dialog";
import { type Filter, FilterSelects, useFilters } from "../timeline/filters";
import { SEVERITY_CHOICES, SeverityBadge, STATUS_CHOICES, StatusBadge } from "./badges";
import { INCIDENTS, incidentsPaged } from "./requests";

const words = texts.incidents;

const NewIncident = deferred(async () => (await import("./incident-dialogs")).NewIncident);

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: texts.timeline.status,
    any: words.anyStatus,
    choices: [{ value: "open", label: words.open }, ...STATUS_CHOICES],
  },
  {
    name: "severity",
    label: words.severity,
    any: words.anySeverity,
    choices: SEVERITY_CHOICES,
  },
];

export function IncidentList() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const filters = useFilters(FILTERS);
  const placement = usePlacement("incident.incident.manage");
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const { status = null, severity = null } = filters.values;
  const query = useInfiniteQuery(
    incidentsPaged({
      workspaceId: workspace?.id ?? null,
      q: search.settled,
      open: status === "open" ? true : null,
      status: (status === "open" ? null : status) as IncidentFilter["status"],
      severity: severity as IncidentFilter["severity"],
    }),
  );
  return (
    <>
      <EntryList
        words={words}
        icon={Siren}
        query={query}
        columns={useColumns(workspace?.id ?? null)}
        search={search}
        filters={<FilterSelects filters={FILTERS} state={filters} />}
        onClearFilters={filters.active ? filters.clear : null}
        more={<AddressButton requests={INCIDENTS} placement={placement} />}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && (
        <Later>
          <NewIncident
            placement={placement}
            onClose={() => setCreating(false)}
            onCreated={({ id }) => void navigate(`${INCIDENTS.path}/${id}`)}
          />
        </Later>
      )}
    </>
  );
}

function useColumns(workspaceId: string | null): Column<Incident>[] {
  const { workspaces } = useMe();
  const systems = useSystems(workspaceId);
  return [
    {
      key: "title",
      label: texts.timeline.title,
      className: "w-full max-w-0",
      cell: (incident) => (
        <EntryName
          to={`${INCIDENTS.path}/${incident.id}`}
          name={incident.title}
          description={incident.description}
          workspace={workspaceId === null ? nameOf(incident.workspaceId, workspaces) : null}
        />
      ),
    },
    {
      key: "severity",
      label: words.severity,
      from: "tablet",
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      key: "systems",
      label: texts.timeline.systems,
      from: "desktop",
      cell: ({ systemIds }) => <Badges names={namesOf(systemIds, systems)} most={2} />,
    },
    {
      key: "started",
      label: words.started,
      from: "tablet",
      className: "text-muted",
      cell: ({ startedAt }) => <Time value={startedAt} />,
    },
    {
      key: "status",
      label: texts.timeline.status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
  ];
}
