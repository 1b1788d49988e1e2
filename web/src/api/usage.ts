/** Requests about what models cost, and how the credits stand. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { AllowanceChange, UsageGroup, WebhookChange } from "./types";

export interface Days {
  from: string;
  to: string;
}

export const CREDITS = ["credits"] as const;
const CREDITS_MS = 30_000;

/** Sums of each day of each group. */
export const usageQuery = (days: Days, groupBy: UsageGroup) =>
  queryOptions({
    queryKey: ["usage", days, groupBy],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/usage", {
          params: { query: { ...days, groupBy, daily: true } },
          signal,
        }),
      ),
  });

export const callsPaged = (days: Days, personId: string | null) =>
  pagedQuery(["usage", "calls", days, personId], async (paging) =>
    take(
      await api.GET("/api/usage/calls", {
        params: { query: { ...days, ...paging, ...given({ personId }) } },
      }),
    ),
  );

export function exportPath(days: Days, groupBy: UsageGroup): string {
  return `/api/usage/export?${new URLSearchParams({ ...days, groupBy, daily: "true" })}`;
}

export const creditsQuery = queryOptions({
  queryKey: [...CREDITS, "now"],
  queryFn: async ({ signal }) => take(await api.GET("/api/credits", { signal })),
  staleTime: CREDITS_MS,
});

export const allowanceQuery = queryOptions({
  queryKey: [...CREDITS, "allowance"],
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/credits", { signal })),
});

export async function setAllowance(body: AllowanceChange) {
  return take(await api.PUT("/api/admin/credits", { body }));
}

export const WEBHOOK = ["webhook"] as const;

export const webhookQuery = queryOptions({
  queryKey: WEBHOOK,
  queryFn: async ({ signal }) => take(await api.GET("/api/admin/webhook", { signal })),
});

export async function setWebhook(body: WebhookChange) {
  return take(await api.PUT("/api/admin/webhook", { body }));
}
