/** Requests about grants: who may read, manage or owns one resource. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";
import type { GrantDraft } from "./types";

export const GRANTS = ["grants"] as const;

export const grantsQuery = (resourceKind: string, resourceId: string) =>
  queryOptions({
    queryKey: [...GRANTS, resourceKind, resourceId],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/grants", { params: { query: { resourceKind, resourceId } }, signal }),
      ).items,
  });

export async function putGrant(body: GrantDraft) {
  return take(await api.PUT("/api/grants", { body }));
}

export async function deleteGrant(id: string) {
  return take(await api.DELETE("/api/grants/{grantId}", { params: { path: { grantId: id } } }));
}
