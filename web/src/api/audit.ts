/** Requests about the audit log. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { AuditEdge, AuditStatus, Effect } from "./types";

export interface AuditFilter {
  edge: AuditEdge | null;
  status: AuditStatus | null;
  effect: Effect | null;
  action: string;
  principalId: string | null;
  proposalId: string | null;
  since: string | null;
}

export const AUDIT = ["audit"] as const;
export const SEALED_LOG = "/api/audit/log";

export const auditPaged = (filter: AuditFilter) =>
  pagedQuery([...AUDIT, filter], async (paging) =>
    take(await api.GET("/api/audit", { params: { query: { ...paging, ...given(filter) } } })),
  );

export const sealQuery = queryOptions({
  queryKey: [...AUDIT, "status"],
  queryFn: async ({ signal }) => take(await api.GET("/api/audit/status", { signal })),
});

export async function verifyStretch(after: number, signal: AbortSignal) {
  return take(await api.GET("/api/audit/verify", { params: { query: { after } }, signal }));
}

export function tablePath(filter: AuditFilter): string {
  const query = new URLSearchParams(given(filter) as Record<string, string>).toString();
  return query === "" ? "/api/audit/export" : `/api/audit/export?${query}`;
}
