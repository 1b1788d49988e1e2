/** What the page asks of the server besides saying something new. */

import type { AnswerValue } from "./message";

/** What begins a turn besides a message, or joins one. */
export type Deed =
  | { answer: { partId: string; value: AnswerValue } }
  | { decision: { proposalId: string } };

/** The last message, tried again: `messageId` is what is replaced. */
export interface Anew {
  retry: { id: string; messageId: string; text?: string; fileIds?: string[] };
}
