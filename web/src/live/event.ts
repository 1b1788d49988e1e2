/** What the server announces to the signed-in person. Pure. */

import type { Conversation, ProposalState } from "../api/types";

export type LiveEvent =
  /** What was read before may be out of date. */
  | { type: "hello" }
  | { type: "conversation.changed"; conversation: Conversation }
  | { type: "conversation.removed"; conversationId: string }
  | {
      type: "proposal.changed";
      proposalId: string;
      conversationId: string | null;
      state: ProposalState;
    };

const TYPES: ReadonlySet<string> = new Set<LiveEvent["type"]>([
  "hello",
  "conversation.changed",
  "conversation.removed",
  "proposal.changed",
]);

/** Nothing for what a newer server may say and this page does not know. */
export function parseLiveEvent(data: string): LiveEvent | null {
  const said = JSON.parse(data) as { type?: unknown };
  return TYPES.has(String(said.type)) ? (said as LiveEvent) : null;
}
