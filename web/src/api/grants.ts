/** Requests about grants: who may read, manage or owns one resource. */

import { api, take } from "./client";
import { wholeQuery } from "./paging";
import type { GrantDraft } from "./types";

export const GRANTS = ["grants"] as const;

export const grantsQuery = (resourceKind: string, resourceId: string) =>
  wholeQuery([...GRANTS, resourceKind, resourceId], async (paging) =>
    take(
      await api.GET("/api/grants", { params: { query: { resourceKind, resourceId, ...paging } } }),
    ),
  );

export async function putGrant(body: GrantDraft) {
  return take(await api.PUT("/api/grants", { body }));
}

export async function deleteGrant(id: string) {
  return take(await api.DELETE("/api/grants/{id}", { params: { path: { id } } }));
}
