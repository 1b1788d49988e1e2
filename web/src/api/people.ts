/** Requests about people, roles, teams and workspaces. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery, wholeQuery } from "./paging";
import type { Membership } from "./types";

export const USERS = ["users"] as const;
export const ROLES = ["roles"] as const;
export const TEAMS = ["teams"] as const;
export const WORKSPACES = ["workspaces"] as const;

export const usersPaged = (q: string) =>
  pagedQuery([...USERS, { q }], async (paging) =>
    take(await api.GET("/api/users", { params: { query: { ...paging, ...given({ q }) } } })),
  );

export const usersQuery = wholeQuery(USERS, async (query) =>
  take(await api.GET("/api/users", { params: { query } })),
);

export const rolesQuery = wholeQuery(ROLES, async (query) =>
  take(await api.GET("/api/roles", { params: { query } })),
);

export const teamsQuery = wholeQuery(TEAMS, async (query) =>
  take(await api.GET("/api/teams", { params: { query } })),
);

export const workspacesQuery = wholeQuery(WORKSPACES, async (query) =>
  take(await api.GET("/api/workspaces", { params: { query } })),
);

export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: async ({ signal }) => take(await api.GET("/api/rules", { signal })).items,
  staleTime: Number.POSITIVE_INFINITY,
});

export async function addUser(body: { email: string; name: string; memberships: Membership[] }) {
  return take(await api.POST("/api/users", { body }));
}

export async function changeUser(
  id: string,
  body: { name?: string; email?: string; active?: boolean; memberships?: Membership[] },
) {
  return take(await api.PATCH("/api/users/{userId}", { params: { path: { userId: id } }, body }));
}

export async function createResetLink(id: string) {
  return take(
    await api.POST("/api/users/{userId}/reset-link", { params: { path: { userId: id } } }),
  );
}

export async function addRole(body: { slug: string; name: string; rules: string[] }) {
  return take(await api.POST("/api/roles", { body }));
}

export async function changeRole(id: string, body: { name: string; rules: string[] }) {
  return take(await api.PATCH("/api/roles/{roleId}", { params: { path: { roleId: id } }, body }));
}

export async function deleteRole(id: string) {
  return take(await api.DELETE("/api/roles/{roleId}", { params: { path: { roleId: id } } }));
}

export async function addTeam(body: { slug: string; name: string; memberIds: string[] }) {
  return take(await api.POST("/api/teams", { body }));
}

export async function changeTeam(id: string, body: { name: string; memberIds: string[] }) {
  return take(await api.PATCH("/api/teams/{teamId}", { params: { path: { teamId: id } }, body }));
}

export async function deleteTeam(id: string) {
  return take(await api.DELETE("/api/teams/{teamId}", { params: { path: { teamId: id } } }));
}

export async function addWorkspace(body: { slug: string; name: string }) {
  return take(await api.POST("/api/workspaces", { body }));
}

export async function changeWorkspace(id: string, body: { name: string }) {
  return take(
    await api.PATCH("/api/workspaces/{workspaceId}", {
      params: { path: { workspaceId: id } },
      body,
    }),
  );
}

export async function deleteWorkspace(id: string) {
  return take(
    await api.DELETE("/api/workspaces/{workspaceId}", { params: { path: { workspaceId: id } } }),
  );
}
