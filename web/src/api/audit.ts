/** Requests about the audit log. */

import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { AuditEdge, AuditStatus, Effect } from "./types";

export interface AuditFilter {
  edge: AuditEdge | null;
  status: AuditStatus | null;
  effect: Effect | null;
  action: string;
  since: string | null;
}

export const auditPaged = (filter: AuditFilter) =>
  pagedQuery(["audit", filter], async (paging) =>
    take(await api.GET("/api/audit", { params: { query: { ...paging, ...given(filter) } } })),
  );
