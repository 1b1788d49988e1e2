/** Older versions of messages among those that are shown. Pure. */

import type { ChatMessage } from "./message";

/** Which version of which message is looked at; the newest one is none of these. */
export interface Looked {
  messageId: string;
  number: number;
}

export function countVersions({ role, metadata }: ChatMessage): number {
  return role === "user" ? (metadata?.versions ?? 1) : 1;
}

/** Where a message and what was answered to it stand: from the first to before the second. */
export function findTurn(
  messages: readonly ChatMessage[],
  messageId: string,
): [number, number] | null {
  const first = messages.findIndex(({ id }) => id === messageId);
  if (first < 0) return null;
  const next = messages.findIndex(({ role }, index) => index > first && role === "user");
  return [first, next < 0 ? messages.length : next];
}
