/** What people do with single messages: rate them, branch from them; and whole exports. */

import { api, take } from "./client";
import type { Feedback } from "./types";

export async function rateMessage(messageId: string, body: Feedback): Promise<Feedback> {
  return take(
    await api.PUT("/api/messages/{messageId}/feedback", {
      params: { path: { messageId } },
      body,
    }),
  ) as Feedback;
}

export async function unrateMessage(messageId: string): Promise<void> {
  take(await api.DELETE("/api/messages/{messageId}/feedback", { params: { path: { messageId } } }));
}

export async function branchConversation(id: string, messageId: string): Promise<string> {
  const made = take(
    await api.POST("/api/conversations/{conversationId}/branch", {
      params: { path: { conversationId: id } },
      body: { messageId },
    }),
  );
  return made.id;
}

export type ExportForm = "json" | "markdown";

/** The server names the file and says that it is to be saved. */
export function saveExport(id: string, form: ExportForm): void {
  const link = document.createElement("a");
  link.href = `/api/conversations/${encodeURIComponent(id)}/export?format=${form}`;
  link.download = "";
  link.click();
}
