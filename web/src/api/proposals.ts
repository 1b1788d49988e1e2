/** Requests about proposals: reading them, and a person's decision about one. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { Outcome, ProposalState } from "./types";

export const PROPOSALS = ["proposals"] as const;

export interface ProposalFilter {
  state: ProposalState | null;
  mine: boolean;
}

const BADGE_MOST = 100;

export const proposalsPaged = ({ state, mine }: ProposalFilter) =>
  pagedQuery([...PROPOSALS, "list", { state, mine }], async (paging) =>
    take(
      await api.GET("/api/proposals", {
        params: { query: { ...paging, ...given({ state, mine: mine || null }) } },
      }),
    ),
  );

/** The newest ones that wait for the person; more than these nobody counts, or decides at once. */
export const waitingQuery = queryOptions({
  queryKey: [...PROPOSALS, "waiting"],
  queryFn: async ({ signal }) =>
    take(
      await api.GET("/api/proposals", {
        params: { query: { waiting: true, limit: BADGE_MOST } },
        signal,
      }),
    ),
});

export const proposalKey = (id: string) => [...PROPOSALS, "one", id] as const;

export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: proposalKey(id),
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/proposals/{proposalId}", {
          params: { path: { proposalId: id } },
          signal,
        }),
      ),
  });

export async function requestToken(id: string) {
  return take(
    await api.POST("/api/proposals/{proposalId}/token", { params: { path: { proposalId: id } } }),
  );
}

export async function applyProposal(id: string, token: string, secrets: Record<string, string>) {
  return take(
    await api.POST("/api/proposals/{proposalId}/apply", {
      params: { path: { proposalId: id } },
      body: { token, secrets },
    }),
  );
}

export async function declineProposal(id: string, token: string, reason: string) {
  return take(
    await api.POST("/api/proposals/{proposalId}/decline", {
      params: { path: { proposalId: id } },
      body: { token, ...given({ reason }) },
    }),
  );
}

export interface BatchDecision {
  id: string;
  token: string;
  kind: "apply" | "decline";
}

export async function decideProposals(body: BatchDecision[]) {
  return take(await api.POST("/api/proposals/decide", { body })).items;
}

export async function undoProposal(id: string) {
  return take(
    await api.POST("/api/proposals/{proposalId}/undo", { params: { path: { proposalId: id } } }),
  );
}

export async function resolveProposal(id: string, outcome: Outcome, note: string) {
  return take(
    await api.POST("/api/proposals/{proposalId}/resolve", {
      params: { path: { proposalId: id } },
      body: { outcome, ...given({ note }) },
    }),
  );
}
