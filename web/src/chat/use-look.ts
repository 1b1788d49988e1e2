/** Looks at a conversation: takes over what is stored, and follows what runs. */

import type { Chat } from "@ai-sdk/react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef } from "react";
import {
  CONVERSATION_LIST,
  conversationKey,
  type History,
  readHistory,
  readMessages,
} from "../api/conversations";
import { Problem } from "../api/problem";
import type { ConversationView } from "../api/types";
import { patchListed } from "../live/apply-event";
import { useConnected } from "../live/live";
import { type ChatMessage, mergeHistory } from "./message";
import { NotSent } from "./transport";

export function isBusy(status: string): boolean {
  return status === "submitted" || status === "streaming";
}

/** The cache is what the header shows. The list is told about changes, unless nobody tells it. */
function useShowView(): (view: ConversationView) => void {
  const client = useQueryClient();
  const connected = useConnected();
  return useCallback(
    (view) => {
      const key = conversationKey(view.id);
      const before = client.getQueryData<ConversationView>(key);
      client.setQueryData(key, view);
      patchListed(client, view.id, { status: view.status, unread: view.unread });
      const changed = before?.title !== view.title || before.activeAt !== view.activeAt;
      if (changed && !connected) void client.invalidateQueries({ queryKey: CONVERSATION_LIST });
    },
    [client, connected],
  );
}

/** Back to what is shown, however much was said elsewhere since: nothing may be missing between. */
async function readNews(chat: Chat<ChatMessage>): Promise<History> {
  const { view, page } = await readHistory(chat.id);
  const known = chat.messages.findLast(({ metadata }) => metadata?.seq !== undefined);
  let { items, hasMore } = page;
  const first = () => items[0]?.metadata.seq ?? 0;
  while (known?.metadata?.seq !== undefined && hasMore && first() > known.metadata.seq) {
    const before = await readMessages(chat.id, { before: first() });
    items = [...before.items, ...items];
    hasMore = before.hasMore;
  }
  return { view, page: { items, hasMore } };
}

/** Unless something was begun here meanwhile: read before it was said, it would wipe that out. */
async function lookOnce(
  chat: Chat<ChatMessage>,
  show: (view: ConversationView) => void,
): Promise<void> {
  if (isBusy(chat.status) || chat.error instanceof NotSent) return;
  const last = chat.lastMessage;
  const { view, page } = await readNews(chat);
  show(view);
  if (isBusy(chat.status) || chat.lastMessage !== last) return;
  const shown = chat.messages;
  const merged = mergeHistory(shown, page.items, view.activeRunId);
  if (merged !== shown) chat.messages = merged;
  if (view.activeRunId !== null) await chat.resumeStream();
  else if (chat.error instanceof Problem) chat.clearError();
}

/** Asked for while it looks, it looks once more afterwards. */
export function useLook(chat: Chat<ChatMessage>): () => Promise<void> {
  const show = useShowView();
  const state = useRef({ looking: false, again: false }).current;
  return useCallback(async () => {
    state.again = true;
    if (state.looking) return;
    state.looking = true;
    try {
      while (state.again) {
        state.again = false;
        await lookOnce(chat, show);
      }
    } finally {
      state.looking = false;
    }
  }, [chat, show, state]);
}
