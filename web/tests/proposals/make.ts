/** Proposals as the server would send them. */

import type { Proposal, ProposalLine } from "../../src/api/types";

export const HASH = "ab".repeat(32);
export const ID = "proposal-1";

export function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

export function makeProposal(fields: Partial<Proposal> = {}): Proposal {
  return {
    id: ID,
    tool: "catalog.createSystem",
    title: "Create a system",
    effect: "mutate",
    egress: false,
    summary: "Create the system billing",
    state: "proposed",
    edge: "mcp",
    client: null,
    proposer: { kind: "user", id: "user-grace", name: "Grace Lindqvist" },
    decider: null,
    createdAt: inMinutes(-3),
    expiresAt: inMinutes(7),
    decidedAt: null,
    mayDecide: true,
    isRed: false,
    mayDecline: true,
    approvals: null,
    secrets: [],
    payload: { name: "billing", workspaceId: "payments" },
    payloadHash: HASH,
    diff: [],
    creates: null,
    removes: [],
    reason: { code: "mode_approve", sentence: "A person decides about each change." },
    provenance: { marks: [], alarms: [] },
    rules: [],
    declineReason: null,
    note: null,
    finishedAt: null,
    result: null,
    error: null,
    supersededBy: null,
    supersedes: null,
    undo: null,
    undoes: null,
    ...fields,
  };
}

export function makeLine(fields: Partial<ProposalLine> = {}): ProposalLine {
  return makeProposal(fields);
}
