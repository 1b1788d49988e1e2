/** Proposals in every state, as the server would send them. Nothing here exists anywhere. */

import type { FieldChange, Proposal } from "../api/types";
import type { Decision, DecisionFailure } from "../proposals/decision";

const MINUTE = 60_000;
const HASH = "3f9ac07d51e2486bb85a90d6f1c47e2358ab64d09c1be7f2a6350d4498ce17fb";
const ADA = { kind: "user" as const, id: "user-ada", name: "Ada Okafor" };
const GRACE = { kind: "user" as const, id: "user-grace", name: "Grace Lindqvist" };

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE).toISOString();
}

const DIFF: FieldChange[] = [
  {
    kind: "changed",
    path: "description",
    before: "Takes orders.",
    after: "Takes orders and payments.",
  },
  { kind: "added", path: "groupIds", before: null, after: ["Storefront"] },
];

const BASE: Proposal = {
  id: "proposal-1",
  tool: "catalog.updateSystem",
  title: "Change a system",
  effect: "mutate",
  egress: false,
  summary: "Change the system checkout",
  state: "proposed",
  edge: "chat",
  client: null,
  proposer: ADA,
  decider: null,
  createdAt: inMinutes(-3),
  expiresAt: inMinutes(7),
  decidedAt: null,
  mayDecide: true,
  isRed: false,
  mayDecline: true,
  approvals: null,
  secrets: [],
  payload: { systemId: "checkout", description: "Takes orders and payments." },
  payloadHash: HASH,
  diff: DIFF,
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
};

const DELETING: Partial<Proposal> = {
  tool: "catalog.deleteSystem",
  title: "Delete a system",
  effect: "destructive",
  summary: "Delete the system billing",
  payload: { systemId: "billing" },
  diff: [],
  removes: ["System billing", "2 dependencies"],
  reason: { code: "destructive", sentence: "What destroys something always asks." },
};

const DECIDED: Partial<Proposal> = {
  mayDecide: false,
  mayDecline: false,
  decider: GRACE,
  decidedAt: inMinutes(-2),
  finishedAt: inMinutes(-2),
};

function make(id: string, ...fields: Partial<Proposal>[]): Proposal {
  return Object.assign({}, BASE, { id }, ...fields);
}

const APPLIED: Partial<Proposal> = { ...DECIDED, state: "applied", result: { name: "checkout" } };

/** By what is to be seen. */
export const PROPOSALS: Record<string, Proposal> = {
  confirm: make("confirm"),
  "confirm, destructive": make("destructive", DELETING),
  "confirm, created": make("created", {
    tool: "catalog.createSystem",
    summary: "Create the system ledger",
    payload: { name: "ledger" },
    diff: [],
    creates: { name: "ledger", description: "Keeps the books." },
  }),
  "confirm, with a secret": make("secret", {
    secrets: [{ name: "key", title: "Key of the service" }],
  }),
  "confirm, others decide": make("others", { mayDecide: false, mayDecline: false }),
  "about to expire": make("soon", { expiresAt: inMinutes(0.9) }),
  expired: make("expired", { state: "expired", mayDecide: false, mayDecline: false }),
  applying: make("applying", { ...DECIDED, state: "applying", finishedAt: null }),
  "applied at once": make("at-once", { ...APPLIED, decider: null, decidedAt: null }),
  "receipt with Undo": make("undo", {
    ...APPLIED,
    undo: { state: "available", proposalId: null, mayUndo: true },
  }),
  "receipt, undone": make("undone", {
    ...APPLIED,
    undo: { state: "undone", proposalId: "proposal-2", mayUndo: false },
  }),
  failed: make("failed", {
    ...DECIDED,
    state: "failed",
    error: {
      code: "conflict",
      message: "Another system has this name.",
      issues: [{ path: "name", message: "It is taken." }],
    },
  }),
  "outcome unknown": make("unknown", {
    ...DECIDED,
    mayDecide: true,
    state: "outcome_unknown",
    finishedAt: null,
  }),
  declined: make("declined", {
    ...DECIDED,
    state: "declined",
    declineReason: "Not before Monday.",
  }),
  withdrawn: make("voided", { state: "voided", mayDecide: false, mayDecline: false }),
  superseded: make("superseded", { state: "superseded", supersededBy: "proposal-3" }),
};

function idle(): void {}

export const DECISION: Decision = {
  busy: null,
  failure: null,
  apply: idle,
  decline: idle,
  resolve: idle,
  undo: idle,
  again: null,
};

function failing(kind: DecisionFailure["kind"], rule: string | null = null): Decision {
  const failure = { kind, detail: "", rule, successorId: null };
  return { ...DECISION, failure, again: kind === "unreachable" ? idle : null };
}

/** What can happen to a decision, and the card on which it does. */
export const FAILURES: Record<string, { proposal: Proposal; decision: Decision }> = {
  "being sent": { proposal: make("busy"), decision: { ...DECISION, busy: "apply" } },
  "not reached": { proposal: make("unreachable"), decision: failing("unreachable") },
  "decided elsewhere": {
    proposal: make("elsewhere", DECIDED, { state: "declined" }),
    decision: failing("elsewhere"),
  },
  "missing rule": {
    proposal: make("rule"),
    decision: failing("missingRule", "catalog.system.manage"),
  },
};
