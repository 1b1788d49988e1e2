/** What a chat in the list asks for. Pure. */

import type { Conversation } from "../api/types";

export type Attention = "running" | "waiting" | "unread";

/** The most pressing of it; what is looked at is being read. */
export function decideAttention(
  { status, unread }: Pick<Conversation, "status" | "unread">,
  isOpen: boolean,
): Attention | null {
  if (status === "waiting" || status === "running") return status;
  return unread && !isOpen ? "unread" : null;
}
