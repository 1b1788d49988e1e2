/**
 * One open conversation: what is said here, and what comes from elsewhere.
 *
 * Whatever starts a turn (this tab, another one, a decision, a restart) is found in one way: the
 * page looks at the conversation, takes over what is stored, and follows what runs.
 */

import { Chat, useChat } from "@ai-sdk/react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { conversationKey, type History, stopConversation } from "../api/conversations";
import type { ConversationView } from "../api/types";
import { patchListed } from "../live/apply-event";
import { type ChatMessage, fromStored } from "./message";
import { findNotice } from "./notice";
import { type OnProgress, useKeepProgress } from "./progress";
import { AssentTransport, type Told } from "./transport";
import { useEarlier } from "./use-earlier";
import { useInterruption, useReplay, useSteadyAnswer } from "./use-interruptions";
import { isBusy, useLook } from "./use-look";
import { useLooking } from "./use-looking";
import { useSaying } from "./use-saying";
import { useUnwatched, useWatchAgain } from "./use-watching";

const STREAM_MS = 40;

function createChat(
  { view, page }: History,
  told: Told,
  onProgress: OnProgress,
): Chat<ChatMessage> {
  return new Chat<ChatMessage>({
    id: view.id,
    messages: page.items.map(fromStored),
    onData: onProgress,
    transport: new AssentTransport(told),
  });
}

/** What begins here shows in the header and the sidebar at once. */
function useShowBeginning(id: string, streaming: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!streaming) return;
    const running = { status: "running" as const };
    client.setQueryData<ConversationView>(
      conversationKey(id),
      (view) => view && { ...view, ...running },
    );
    patchListed(client, id, running);
  }, [client, id, streaming]);
}

function useStopping(id: string, busy: boolean) {
  const [stopping, setStopping] = useState(false);
  useEffect(() => {
    if (!busy) setStopping(false);
  }, [busy]);
  async function stop() {
    setStopping(true);
    try {
      await stopConversation(id);
    } catch {
      setStopping(false);
    }
  }
  return { stopping, stop };
}

/** `running` is what the conversation is said to be; this tab may not be the one that watches. */
export function useConversation(opened: History, running: boolean) {
  const interruption = useInterruption();
  const { unwatched, onUnwatched } = useUnwatched(running);
  const { onInterrupted } = interruption;
  const onProgress = useKeepProgress();
  const [chat] = useState(() => createChat(opened, { onInterrupted, onUnwatched }, onProgress));
  const { messages: told, status, error } = useChat({ chat, throttle: STREAM_MS });
  const messages = useSteadyAnswer(told, interruption.interrupted);
  const following = isBusy(status) || interruption.interrupted;
  const busy = following || unwatched;
  const look = useLook(chat);
  useWatchAgain(unwatched && !following, look);
  useReplay(chat, interruption, isBusy(status));
  useShowBeginning(chat.id, status === "streaming");
  const hurry = useLooking({
    id: chat.id,
    look,
    busy: following,
    atOnce: opened.view.status === "running",
  });
  useEffect(() => () => void chat.stop(), [chat]);

  /** The assistant reacts to a decision; what cannot be joined yet is announced. */
  async function react(proposalId: string) {
    hurry();
    if (isBusy(chat.status)) return;
    await chat.resumeStream({ body: { decision: { proposalId } } });
    await look();
  }

  return {
    id: chat.id,
    messages,
    busy,
    waiting: (status === "submitted" && !interruption.interrupted) || (unwatched && !following),
    notice: busy ? null : findNotice(messages, error),
    earlier: useEarlier(chat, opened.page.hasMore),
    react,
    ...useStopping(chat.id, busy),
    ...useSaying(chat, look),
  };
}

export type OpenConversation = ReturnType<typeof useConversation>;
