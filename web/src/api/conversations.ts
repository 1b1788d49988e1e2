/** Requests about conversations: the list, one of them, and its messages. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { pagedQuery } from "./paging";
import type { Conversation, ConversationView, List, MessagePage, Mode } from "./types";

export const CONVERSATIONS = ["conversations"] as const;
export const CONVERSATION_LIST = [...CONVERSATIONS, "list"] as const;

export const SCREEN = 50;
/** The server gives no more at once. */
export const MOST_MESSAGES = 200;

export const conversationKey = (id: string) => [...CONVERSATIONS, "one", id] as const;

/** What a list is narrowed to, as its key says it. */
export interface ListScope {
  search: string;
  workspaceId: string | null;
}

export const conversationsPaged = (search: string, workspaceId: string | null = null) =>
  pagedQuery(
    [...CONVERSATION_LIST, { search, workspaceId } satisfies ListScope],
    async (paging) =>
      take(
        await api.GET("/api/conversations", {
          params: { query: { ...paging, ...given({ q: search, workspaceId }) } },
        }),
      ) as List<Conversation>,
  );

export async function readConversation(id: string): Promise<ConversationView> {
  return take(
    await api.GET("/api/conversations/{conversationId}", {
      params: { path: { conversationId: id } },
    }),
  ) as ConversationView;
}

/** The page that shows it reads it and keeps it up to date. */
export const viewQuery = (id: string) =>
  queryOptions({
    queryKey: conversationKey(id),
    queryFn: () => readConversation(id),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface MessageRange {
  before?: number | null;
  limit?: number;
}

export async function readMessages(
  id: string,
  { before = null, limit = SCREEN }: MessageRange = {},
): Promise<MessagePage> {
  return take(
    await api.GET("/api/conversations/{conversationId}/messages", {
      params: { path: { conversationId: id }, query: { limit, ...given({ before }) } },
    }),
  );
}

export interface History {
  view: ConversationView;
  page: MessagePage;
}

/** The standing first: a run that ends in between then shows as its message, never as nothing. */
export async function readHistory(id: string): Promise<History> {
  const view = await readConversation(id);
  return { view, page: await readMessages(id) };
}

/** Only for the opening of a page, which then follows by itself; so it is not kept. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...conversationKey(id), "history"],
    queryFn: () => readHistory(id),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Opens a chat, or finds the one that is still empty, so that asking twice does no harm. */
export const draftQuery = (workspaceId: string | null) =>
  queryOptions({
    queryKey: [...CONVERSATIONS, "draft", { workspaceId }],
    queryFn: async () => take(await api.POST("/api/conversations", { body: { workspaceId } })),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface ConversationChange {
  title?: string;
  mode?: Mode;
  agent?: string;
  integrationId?: string | null;
  model?: string | null;
}

export async function changeConversation(
  id: string,
  body: ConversationChange,
): Promise<Partial<Conversation>> {
  return take(
    await api.PATCH("/api/conversations/{conversationId}", {
      params: { path: { conversationId: id } },
      body,
    }),
  );
}

export async function archiveConversation(id: string): Promise<void> {
  take(
    await api.POST("/api/conversations/{conversationId}/archive", {
      params: { path: { conversationId: id } },
    }),
  );
}

export async function stopConversation(id: string): Promise<void> {
  take(
    await api.POST("/api/conversations/{conversationId}/cancel", {
      params: { path: { conversationId: id } },
    }),
  );
}

/** Everything that is finished counts as read. */
export async function markRead(id: string): Promise<void> {
  take(
    await api.POST("/api/conversations/{conversationId}/read", {
      params: { path: { conversationId: id } },
      body: {},
    }),
  );
}
