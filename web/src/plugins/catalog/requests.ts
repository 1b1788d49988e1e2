/** Requests of the catalog: systems, groups, environments, dependencies. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "../../api/client";
import { pagedQuery, wholeQuery } from "../../api/paging";
import type { EnvironmentDraft, GroupDraft, Strength, SystemDraft } from "../../api/types";

export const SYSTEMS = ["catalog", "systems"] as const;
export const GROUPS = ["catalog", "groups"] as const;
export const ENVIRONMENTS = ["catalog", "environments"] as const;
export const DEPENDENCIES = ["catalog", "dependencies"] as const;

type WorkspaceId = string | null;

export interface SystemFilter {
  workspaceId: WorkspaceId;
  groupId: string | null;
  environmentId: string | null;
  q: string;
}

export const systemsPaged = (filter: SystemFilter) =>
  pagedQuery([...SYSTEMS, filter], async (paging) =>
    take(
      await api.GET("/api/p/catalog/systems", {
        params: { query: { ...paging, ...given(filter) } },
      }),
    ),
  );

export const systemsQuery = (workspaceId: WorkspaceId) =>
  wholeQuery([...SYSTEMS, { workspaceId }], async (paging) =>
    take(
      await api.GET("/api/p/catalog/systems", {
        params: { query: { ...paging, ...given({ workspaceId }) } },
      }),
    ),
  );

export const systemQuery = (id: string) =>
  queryOptions({
    queryKey: [...SYSTEMS, id],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/catalog/systems/{systemId}", {
          params: { path: { systemId: id } },
          signal,
        }),
      ),
  });

export async function addSystem(body: SystemDraft & { workspaceId: string }) {
  return take(await api.POST("/api/p/catalog/systems", { body }));
}

export async function changeSystem(id: string, draft: SystemDraft, expectedVersion: number) {
  return take(
    await api.PATCH("/api/p/catalog/systems/{systemId}", {
      params: { path: { systemId: id } },
      body: { ...draft, expectedVersion },
    }),
  );
}

export async function deleteSystem(id: string) {
  return take(
    await api.DELETE("/api/p/catalog/systems/{systemId}", { params: { path: { systemId: id } } }),
  );
}

interface Search {
  workspaceId: WorkspaceId;
  q: string;
}

export const groupsPaged = (search: Search) =>
  pagedQuery([...GROUPS, search], async (paging) =>
    take(
      await api.GET("/api/p/catalog/groups", {
        params: { query: { ...paging, ...given(search) } },
      }),
    ),
  );

export const groupsQuery = (workspaceId: WorkspaceId) =>
  wholeQuery([...GROUPS, { workspaceId }], async (paging) =>
    take(
      await api.GET("/api/p/catalog/groups", {
        params: { query: { ...paging, ...given({ workspaceId }) } },
      }),
    ),
  );

export async function readGroup(id: string) {
  return take(
    await api.GET("/api/p/catalog/groups/{groupId}", { params: { path: { groupId: id } } }),
  );
}

export async function addGroup(body: GroupDraft & { workspaceId: string }) {
  return take(await api.POST("/api/p/catalog/groups", { body }));
}

export async function changeGroup(id: string, draft: GroupDraft, expectedVersion: number) {
  return take(
    await api.PATCH("/api/p/catalog/groups/{groupId}", {
      params: { path: { groupId: id } },
      body: { ...draft, expectedVersion },
    }),
  );
}

export async function deleteGroup(id: string) {
  return take(
    await api.DELETE("/api/p/catalog/groups/{groupId}", { params: { path: { groupId: id } } }),
  );
}

export const environmentsPaged = (search: Search) =>
  pagedQuery([...ENVIRONMENTS, search], async (paging) =>
    take(
      await api.GET("/api/p/catalog/environments", {
        params: { query: { ...paging, ...given(search) } },
      }),
    ),
  );

export const environmentsQuery = (workspaceId: WorkspaceId) =>
  wholeQuery([...ENVIRONMENTS, { workspaceId }], async (paging) =>
    take(
      await api.GET("/api/p/catalog/environments", {
        params: { query: { ...paging, ...given({ workspaceId }) } },
      }),
    ),
  );

export async function readEnvironment(id: string) {
  return take(
    await api.GET("/api/p/catalog/environments/{environmentId}", {
      params: { path: { environmentId: id } },
    }),
  );
}

export async function addEnvironment(body: EnvironmentDraft & { workspaceId: string }) {
  return take(await api.POST("/api/p/catalog/environments", { body }));
}

export async function changeEnvironment(
  id: string,
  draft: EnvironmentDraft,
  expectedVersion: number,
) {
  return take(
    await api.PATCH("/api/p/catalog/environments/{environmentId}", {
      params: { path: { environmentId: id } },
      body: { ...draft, expectedVersion },
    }),
  );
}

export async function deleteEnvironment(id: string) {
  return take(
    await api.DELETE("/api/p/catalog/environments/{environmentId}", {
      params: { path: { environmentId: id } },
    }),
  );
}

/** Both directions: what the system depends on, and what depends on it. */
export const dependenciesQuery = (systemId: string) =>
  wholeQuery([...DEPENDENCIES, { systemId }], async (paging) =>
    take(
      await api.GET("/api/p/catalog/dependencies", { params: { query: { ...paging, systemId } } }),
    ),
  );

export async function readDependency(id: string) {
  return take(
    await api.GET("/api/p/catalog/dependencies/{dependencyId}", {
      params: { path: { dependencyId: id } },
    }),
  );
}

export interface DependencyDraft {
  strength: Strength;
  note: string;
}

export async function addDependency(
  body: DependencyDraft & { systemId: string; dependsOnId: string },
) {
  return take(await api.POST("/api/p/catalog/dependencies", { body }));
}

export async function changeDependency(
  id: string,
  draft: DependencyDraft,
  expectedVersion: number,
) {
  return take(
    await api.PATCH("/api/p/catalog/dependencies/{dependencyId}", {
      params: { path: { dependencyId: id } },
      body: { ...draft, expectedVersion },
    }),
  );
}

export async function deleteDependency(id: string) {
  return take(
    await api.DELETE("/api/p/catalog/dependencies/{dependencyId}", {
      params: { path: { dependencyId: id } },
    }),
  );
}
