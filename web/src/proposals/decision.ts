/** A person's decision as the card sees it, and what can go wrong with one. Pure. */

import { describeFailure } from "../api/failure";
import { Problem, UNREACHABLE } from "../api/problem";
import type { Outcome, Proposal } from "../api/types";

export type Deed = "apply" | "decline" | "undo" | Outcome;

export type FailureKind =
  | "elsewhere"
  | "expired"
  | "changed"
  | "notUndone"
  | "notTheSame"
  | "missingRule"
  | "unreachable"
  | "signedOut"
  | "other";

export interface DecisionFailure {
  kind: FailureKind;
  detail: string;
  rule: string | null;
  successorId: string | null;
}

export interface Decision {
  /** What is under way. */
  busy: Deed | null;
  failure: DecisionFailure | null;
  /** With what was typed into the card's secret fields, by name. */
  apply: (secrets: Record<string, string>) => void;
  decline: (reason: string) => void;
  resolve: (outcome: Outcome, note: string) => void;
  /** Have a card made that takes the applied change back. */
  undo: () => void;
  /** Once more what did not arrive; nothing where that would make no sense. */
  again: (() => void) | null;
}

/** What every view of a state gets. */
export interface StatusProps {
  proposal: Proposal;
  decision: Decision;
}

/** The token is for other arguments than those on the card. */
export class NotTheSame extends Error {}

const BY_STATUS: Record<number, FailureKind> = {
  401: "signedOut",
  409: "elsewhere",
  410: "expired",
  412: "changed",
};

function kindOf(error: unknown): FailureKind {
  if (error instanceof NotTheSame) return "notTheSame";
  if (!(error instanceof Problem)) return "other";
  if (error.code === UNREACHABLE) return "unreachable";
  if (error.status === 403 && error.rule !== null) return "missingRule";
  return BY_STATUS[error.status] ?? "other";
}

/** An undo that is not possible any more says so itself: nothing was decided. */
export function sortDecisionFailure(error: unknown, deed: Deed): DecisionFailure {
  const problem = error instanceof Problem ? error : null;
  const kind = kindOf(error);
  return {
    kind: deed === "undo" && (kind === "changed" || kind === "elsewhere") ? "notUndone" : kind,
    detail: describeFailure(error),
    rule: problem?.rule ?? null,
    successorId: problem?.successorId ?? null,
  };
}

/** After these the card shows something that is no longer so. */
export const OUTDATED: Record<FailureKind, boolean> = {
  elsewhere: true,
  expired: true,
  changed: true,
  notUndone: true,
  notTheSame: true,
  missingRule: true,
  unreachable: false,
  signedOut: false,
  other: false,
};
