/** Requests about the rules that say who has to assent to what. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";
import type { ApprovalDraft } from "./types";

export const APPROVALS = ["approvals"] as const;

export const approvalsQuery = queryOptions({
  queryKey: APPROVALS,
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/approval-rules", { signal })).items,
});

export async function addApproval(body: ApprovalDraft) {
  return take(await api.POST("/api/admin/approval-rules", { body }));
}

export async function changeApproval(id: string, body: ApprovalDraft, expectedVersion: number) {
  return take(
    await api.PATCH("/api/admin/approval-rules/{approvalRuleId}", {
      params: { path: { approvalRuleId: id } },
      body: { ...body, expectedVersion },
    }),
  );
}

export async function deleteApproval(id: string) {
  take(
    await api.DELETE("/api/admin/approval-rules/{approvalRuleId}", {
      params: { path: { approvalRuleId: id } },
    }),
  );
}
