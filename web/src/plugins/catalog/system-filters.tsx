/** Narrowing the systems to a group and an environment, kept in the address. */

import { useSearchParams } from "react-router";
import { useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Select } from "../../ui/select";
import { choicesOf, useEnvironments, useGroups } from "./use-directory";

const ANY = "any";

interface SystemFilterState {
  groupId: string | null;
  environmentId: string | null;
  active: boolean;
  choose: (name: "group" | "environment", id: string | null) => void;
  clear: () => void;
}

export function useSystemFilters(): SystemFilterState {
  const [parameters, setParameters] = useSearchParams();
  const groupId = parameters.get("group");
  const environmentId = parameters.get("environment");
  return {
    groupId,
    environmentId,
    active: groupId !== null || environmentId !== null,
    choose: (name, id) =>
      setParameters(
        (current) => {
          if (id === null) current.delete(name);
          else current.set(name, id);
          return current;
        },
        { replace: true },
      ),
    clear: () => setParameters({}, { replace: true }),
  };
}

interface SystemFiltersProps {
  filters: SystemFilterState;
}

export function SystemFilters({ filters }: SystemFiltersProps) {
  const { workspace } = useWorkspace();
  const groups = choicesOf(useGroups(workspace?.id ?? null));
  const environments = choicesOf(useEnvironments(workspace?.id ?? null));
  return (
    <>
      {groups.length > 0 && (
        <Select
          compact
          label={texts.catalog.systems.groups}
          value={filters.groupId ?? ANY}
          choices={[{ value: ANY, label: texts.catalog.systems.anyGroup }, ...groups]}
          onChange={(id) => filters.choose("group", id === ANY ? null : id)}
        />
      )}
      {environments.length > 0 && (
        <Select
          compact
          label={texts.catalog.systems.environments}
          value={filters.environmentId ?? ANY}
          choices={[{ value: ANY, label: texts.catalog.systems.anyEnvironment }, ...environments]}
          onChange={(id) => filters.choose("environment", id === ANY ? null : id)}
        />
      )}
    </>
  );
}
