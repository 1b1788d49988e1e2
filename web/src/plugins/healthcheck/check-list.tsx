/** All checks of the chosen workspace, and how they stand now. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { HeartPulse } from "lucide-react";
import { useNavigate, useSearchParams } from "react-router";
import type { Check, CheckStatus } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Select } from "../../ui/select";
import type { Column } from "../../ui/table";
import { Time } from "../../ui/time";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "../catalog/entry-list";
import { EntryName } from "../catalog/entry-name";
import { usePlacement } from "../catalog/placement";
import { choicesOf, nameOf, useSystems } from "../catalog/use-directory";
import { checkPath, NEW_CHECK_PATH } from "./paths";
import { checksPaged } from "./requests";
import { SecretsButton } from "./secrets-dialog";
import { CheckStanding } from "./status";

const words = texts.healthcheck;
const STATUSES = Object.keys(words.statuses) as CheckStatus[];
const ANY = "any";

interface Filters {
  status: CheckStatus | null;
  systemId: string | null;
  set: (name: "status" | "system", value: string | null) => void;
  clear: () => void;
}

function useFilters(): Filters {
  const [parameters, setParameters] = useSearchParams();
  const status = parameters.get("status");
  const set: Filters["set"] = (name, value) =>
    setParameters(
      (current) => {
        if (value === null) current.delete(name);
        else current.set(name, value);
        return current;
      },
      { replace: true },
    );
  return {
    status: STATUSES.find((one) => one === status) ?? null,
    systemId: parameters.get("system"),
    set,
    clear: () => {
      setParameters(
        (current) => {
          current.delete("status");
          current.delete("system");
          return current;
        },
        { replace: true },
      );
    },
  };
}

export function CheckList() {
  const { workspace } = useWorkspace();
  const search = useSearch();
  const filters = useFilters();
  const navigate = useNavigate();
  const placement = usePlacement("healthcheck.check.manage");
  const query = useInfiniteQuery(
    checksPaged({
      workspaceId: workspace?.id ?? null,
      status: filters.status,
      systemId: filters.systemId,
      q: search.settled,
    }),
  );
  const active = filters.status !== null || filters.systemId !== null;
  return (
    <EntryList
      words={words}
      icon={HeartPulse}
      query={query}
      columns={useColumns(workspace?.id ?? null)}
      search={search}
      filters={<CheckFilters filters={filters} />}
      onClearFilters={active ? filters.clear : null}
      more={<SecretsButton placement={placement} />}
      onNew={placement.options.length > 0 ? () => void navigate(NEW_CHECK_PATH) : null}
    />
  );
}

interface CheckFiltersProps {
  filters: Filters;
}

function CheckFilters({ filters }: CheckFiltersProps) {
  const { workspace } = useWorkspace();
  const systems = useSystems(workspace?.id ?? null);
  return (
    <>
      <Select
        compact
        label={words.status}
        value={filters.status ?? ANY}
        choices={[
          { value: ANY, label: words.anyStatus },
          ...STATUSES.map((value) => ({ value, label: words.statuses[value] })),
        ]}
        onChange={(value) => filters.set("status", value === ANY ? null : value)}
      />
      {systems.length > 0 && (
        <Select
          compact
          label={words.systems}
          value={filters.systemId ?? ANY}
          choices={[{ value: ANY, label: words.anySystem }, ...choicesOf(systems)]}
          onChange={(value) => filters.set("system", value === ANY ? null : value)}
        />
      )}
    </>
  );
}

function useColumns(workspaceId: string | null): Column<Check>[] {
  const { workspaces } = useMe();
  return [
    {
      key: "name",
      label: words.name,
      className: "w-full max-w-0",
      cell: (check) => (
        <EntryName
          to={checkPath(check.id)}
          name={check.name}
          description={check.status === "up" ? check.description : check.reason}
          workspace={workspaceId === null ? nameOf(check.workspaceId, workspaces) : null}
        />
      ),
    },
    {
      key: "kind",
      label: words.kind,
      from: "tablet",
      className: "text-muted whitespace-nowrap",
      cell: ({ strategy }) => strategy.kind,
    },
    {
      key: "lastRun",
      label: words.lastRun,
      from: "tablet",
      className: "text-muted",
      cell: ({ lastRunAt }) => (lastRunAt === null ? words.never : <Time value={lastRunAt} />),
    },
    {
      key: "status",
      label: words.status,
      className: "whitespace-nowrap",
      cell: (check) => <CheckStanding check={check} />,
    },
  ];
}
