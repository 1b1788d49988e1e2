/**
 * One open conversation: what is said here, and what comes from elsewhere.
 *
 * Whatever starts a turn (this tab, another one, a decision, a restart) is found in one way: the
 * page looks at the conversation now and then, takes over what is stored, and follows what runs.
 */

import { Chat, useChat } from "@ai-sdk/react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import {
  CONVERSATION_LIST,
  conversationKey,
  type History,
  readHistory,
  readMessages,
  stopConversation,
} from "../api/conversations";
import type { ConversationView } from "../api/types";
import { type ChatMessage, fromStored, mergeHistory, textOf } from "./message";
import { AssentTransport, NotSent } from "./transport";
import { useLooking } from "./use-looking";

const STREAM_MS = 40;

function isBusy(status: string): boolean {
  return status === "submitted" || status === "streaming";
}

function createChat({ view, page }: History): Chat<ChatMessage> {
  return new Chat<ChatMessage>({
    id: view.id,
    messages: page.items.map(fromStored),
    transport: new AssentTransport(),
  });
}

/** The cache is what the header and the sidebar show. */
function useShowView(): (view: ConversationView) => void {
  const client = useQueryClient();
  return useCallback(
    (view) => {
      const key = conversationKey(view.id);
      const before = client.getQueryData<ConversationView>(key);
      client.setQueryData(key, view);
      if (before?.title !== view.title || before.activeAt !== view.activeAt) {
        void client.invalidateQueries({ queryKey: CONVERSATION_LIST });
      }
    },
    [client],
  );
}

/** What begins here shows in the sidebar at once. */
function useShowBeginning(id: string, streaming: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!streaming) return;
    client.setQueryData(
      conversationKey(id),
      (view: ConversationView | undefined) => view && { ...view, status: "running" as const },
    );
    void client.invalidateQueries({ queryKey: CONVERSATION_LIST });
  }, [client, id, streaming]);
}

/** Takes over what is stored and follows what runs, unless something was begun here meanwhile. */
function useLook(chat: Chat<ChatMessage>) {
  const show = useShowView();
  return useCallback(async () => {
    if (isBusy(chat.status) || chat.error instanceof NotSent) return;
    const before = chat.messages;
    const { view, page } = await readHistory(chat.id);
    show(view);
    // Read before something was said here, it would wipe that out.
    if (isBusy(chat.status) || chat.messages !== before) return;
    const merged = mergeHistory(before, page.items, view.activeRunId);
    if (merged !== before) chat.messages = merged;
    if (view.activeRunId !== null) await chat.resumeStream();
  }, [chat, show]);
}

function useEarlier(chat: Chat<ChatMessage>, hasMore: boolean) {
  const [more, setMore] = useState(hasMore);
  const [busy, setBusy] = useState(false);
  async function load() {
    const first = chat.messages[0]?.metadata?.seq;
    if (first === undefined) return;
    setBusy(true);
    try {
      const page = await readMessages(chat.id, first);
      chat.messages = [...page.items.map(fromStored), ...chat.messages];
      setMore(page.hasMore);
    } finally {
      setBusy(false);
    }
  }
  return { more, busy, load };
}

export function useConversation(opened: History) {
  const [chat] = useState(() => createChat(opened));
  const { messages, status, error, clearError } = useChat({ chat, throttle: STREAM_MS });
  const [stopping, setStopping] = useState(false);
  const look = useLook(chat);
  const busy = isBusy(status);
  useShowBeginning(chat.id, status === "streaming");
  const hurry = useLooking(look, busy, opened.view.status === "running");
  useEffect(() => () => void chat.stop(), [chat]);
  useEffect(() => {
    if (!busy) setStopping(false);
  }, [busy]);

  /** Takes a message that was not sent out of the transcript, so that its text can be kept. */
  function dismiss(): string | null {
    const unsent = chat.error instanceof NotSent ? chat.lastMessage : undefined;
    if (unsent !== undefined) chat.messages = chat.messages.slice(0, -1);
    clearError();
    return unsent === undefined ? null : textOf(unsent);
  }

  async function send(text: string) {
    if (isBusy(chat.status)) await chat.stop();
    dismiss();
    await chat.sendMessage({ text });
  }

  /** Not sent, it is the same message again; else the question is asked anew. */
  async function retry() {
    if (error instanceof NotSent) return chat.regenerate();
    const last = chat.messages.findLast(({ role }) => role === "user");
    if (last !== undefined) await send(textOf(last));
  }

  async function stop() {
    setStopping(true);
    try {
      await stopConversation(chat.id);
    } catch {
      setStopping(false);
    }
  }

  return {
    messages,
    busy,
    waiting: status === "submitted",
    error,
    stopping,
    earlier: useEarlier(chat, opened.page.hasMore),
    send,
    retry,
    stop,
    hurry,
    dismiss,
  };
}

export type OpenConversation = ReturnType<typeof useConversation>;
