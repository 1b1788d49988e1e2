/** Requests about programs that act for a person: letting one in, listing them, taking it back. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { ConsentRequest } from "./types";

export const CONNECTIONS = ["connections"] as const;

/** What a program asks for. It is asked once: nothing changes under a person who reads it. */
export const consentQuery = (body: ConsentRequest) =>
  queryOptions({
    queryKey: [...CONNECTIONS, "consent", body],
    queryFn: async ({ signal }) => take(await api.POST("/api/oauth/consent", { body, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export async function allowProgram(request: ConsentRequest, scopes: string[]) {
  return take(await api.POST("/api/oauth/consent/allow", { body: { ...request, scopes } }));
}

export async function denyProgram(body: ConsentRequest) {
  return take(await api.POST("/api/oauth/consent/deny", { body }));
}

export const connectionsPaged = (everybody: boolean) =>
  pagedQuery([...CONNECTIONS, { everybody }], async (paging) =>
    take(
      await api.GET("/api/oauth/clients", {
        params: { query: { ...paging, ...given({ everybody: everybody || null }) } },
      }),
    ),
  );

export async function revokeConnection(id: string) {
  return take(
    await api.DELETE("/api/oauth/clients/{clientId}", { params: { path: { clientId: id } } }),
  );
}
