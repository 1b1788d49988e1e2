/** Names of groups, environments and systems, as far as the person may see them. */

import { useQuery } from "@tanstack/react-query";
import { mayAnywhere } from "../../access/rules";
import type { Environment, Group, System } from "../../api/types";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import type { Choice } from "../../ui/select";
import { environmentsQuery, groupsQuery, systemsQuery } from "./requests";

export function useGroups(workspaceId: string | null): Group[] {
  const enabled = mayAnywhere(useMe(), "catalog.group.read");
  return useQuery({ ...groupsQuery(workspaceId), enabled }).data ?? [];
}

export function useEnvironments(workspaceId: string | null): Environment[] {
  const enabled = mayAnywhere(useMe(), "catalog.environment.read");
  return useQuery({ ...environmentsQuery(workspaceId), enabled }).data ?? [];
}

export function useSystems(workspaceId: string | null): System[] {
  const enabled = mayAnywhere(useMe(), "catalog.system.read");
  return useQuery({ ...systemsQuery(workspaceId), enabled }).data ?? [];
}

interface NamedEntry {
  id: string;
  name: string;
}

export function namesOf(ids: readonly string[], entries: readonly NamedEntry[]): string[] {
  return ids.flatMap((id) => entries.find((entry) => entry.id === id)?.name ?? []);
}

export function nameOf(id: string, entries: readonly NamedEntry[]): string {
  return entries.find((entry) => entry.id === id)?.name ?? texts.catalog.unknown;
}

export function choicesOf(entries: readonly NamedEntry[]): Choice[] {
  return entries.map(({ id, name }) => ({ value: id, label: name }));
}
