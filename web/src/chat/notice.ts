/** What is said below a conversation when its last turn did not come to its end. Pure. */

import { describeFailure } from "../api/failure";
import { Problem } from "../api/problem";
import type { ChatMessage } from "./message";
import { NotSent } from "./transport";

export type NoticeKind = "unsent" | "lost" | "failed" | "stopped";

export interface TurnNotice {
  kind: NoticeKind;
  detail: string | null;
  /** Trying again makes sense: what was said last is what led here. */
  retryable: boolean;
}

/** A turn that came of a decision or an answer has nothing that could be said again. */
function followsMessage(messages: readonly ChatMessage[]): boolean {
  const last = messages.at(-1);
  return (last?.role === "assistant" ? messages.at(-2) : last)?.role === "user";
}

function noticeOf(error: Error): Omit<TurnNotice, "retryable"> {
  if (error instanceof NotSent) return { kind: "unsent", detail: describeFailure(error.cause) };
  if (error instanceof Problem) return { kind: "lost", detail: describeFailure(error) };
  return { kind: "failed", detail: error.message };
}

export function findNotice(
  messages: readonly ChatMessage[],
  error: Error | undefined,
): TurnNotice | null {
  if (error !== undefined) {
    const notice = noticeOf(error);
    return { ...notice, retryable: notice.kind !== "failed" || followsMessage(messages) };
  }
  const last = messages.at(-1)?.metadata;
  const retryable = followsMessage(messages);
  if (last?.status === "failed") {
    return { kind: "failed", detail: last.error?.message ?? null, retryable };
  }
  return last?.status === "cancelled" ? { kind: "stopped", detail: null, retryable } : null;
}
