/** What people do with single messages: rate them, branch from them; and whole exports. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "./client";
import type { Feedback, MessageVersion } from "./types";

/** What a message was before. Said anew, it has one more: `count` tells one from the other. */
export const versionsQuery = (conversationId: string, messageId: string, count: number) =>
  queryOptions({
    queryKey: ["versions", conversationId, messageId, count],
    queryFn: async (): Promise<MessageVersion[]> => {
      const path = { conversationId, messageId };
      const list = take(
        await api.GET("/api/conversations/{conversationId}/messages/{messageId}/versions", {
          params: { path },
        }),
      );
      return list.items;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

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
