/** Requests of the health checks. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "../../api/client";
import { pagedQuery, wholeQuery } from "../../api/paging";
import type { CheckStatus } from "../../api/types";

export const CHECKS = ["healthcheck", "checks"] as const;
export const SECRETS = ["healthcheck", "secrets"] as const;
/** How often what is on the screen is looked up again. */
export const REFRESH_MS = 5_000;

export interface CheckFilter {
  workspaceId: string | null;
  status: CheckStatus | null;
  systemId: string | null;
  q: string;
}

export const checksPaged = (filter: CheckFilter) => ({
  ...pagedQuery([...CHECKS, filter], async (paging) =>
    take(
      await api.GET("/api/p/healthcheck/checks", {
        params: { query: { ...paging, ...given(filter) } },
      }),
    ),
  ),
  refetchInterval: REFRESH_MS,
});

export const checksQuery = (workspaceId: string | null) =>
  wholeQuery([...CHECKS, { workspaceId }], async (paging) =>
    take(
      await api.GET("/api/p/healthcheck/checks", {
        params: { query: { ...paging, ...given({ workspaceId }) } },
      }),
    ),
  );

export const checkQuery = (id: string) =>
  queryOptions({
    queryKey: [...CHECKS, id],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/healthcheck/checks/{checkId}", {
          params: { path: { checkId: id } },
          signal,
        }),
      ),
  });

export const runsPaged = (id: string, status: CheckStatus | null) => ({
  ...pagedQuery([...CHECKS, id, "runs", { status }], async (paging) =>
    take(
      await api.GET("/api/p/healthcheck/checks/{checkId}/runs", {
        params: { path: { checkId: id }, query: { ...paging, ...given({ status }) } },
      }),
    ),
  ),
  refetchInterval: REFRESH_MS,
});

export const statsQuery = (id: string, hours: number) =>
  queryOptions({
    queryKey: [...CHECKS, id, "stats", { hours }],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/healthcheck/checks/{checkId}/stats", {
          params: { path: { checkId: id }, query: { hours } },
          signal,
        }),
      ),
    refetchInterval: 6 * REFRESH_MS,
  });

export const capabilitiesQuery = queryOptions({
  queryKey: ["healthcheck", "capabilities"],
  queryFn: async ({ signal }) => take(await api.GET("/api/p/healthcheck/capabilities", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export const schemaQuery = (kind: string) =>
  queryOptions({
    queryKey: ["healthcheck", "capabilities", kind],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/healthcheck/capabilities/{kind}", {
          params: { path: { kind } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

type Body = Record<string, unknown>;

/** The server's validator reads what was typed, whatever its shape. */
export async function addCheck(body: Body) {
  return take(await api.POST("/api/p/healthcheck/checks", { body: body as never }));
}

export async function changeCheck(id: string, body: Body) {
  return take(
    await api.PATCH("/api/p/healthcheck/checks/{checkId}", {
      params: { path: { checkId: id } },
      body: body as never,
    }),
  );
}

export async function runCheck(id: string) {
  return take(
    await api.POST("/api/p/healthcheck/checks/{checkId}/run", {
      params: { path: { checkId: id } },
    }),
  );
}

export async function deleteCheck(id: string) {
  return take(
    await api.DELETE("/api/p/healthcheck/checks/{checkId}", {
      params: { path: { checkId: id } },
    }),
  );
}

export const secretsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: [...SECRETS, workspaceId],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/healthcheck/secrets", { params: { query: { workspaceId } }, signal }),
      ).items,
  });

interface SecretDraft {
  workspaceId: string;
  name: string;
  value: string;
}

export async function keepSecret(body: SecretDraft) {
  return take(await api.POST("/api/p/healthcheck/secrets", { body }));
}

export async function forgetSecret(id: string) {
  return take(
    await api.DELETE("/api/p/healthcheck/secrets/{secretId}", {
      params: { path: { secretId: id } },
    }),
  );
}
