/** Earlier messages, page by page, before those that are shown. */

import type { Chat } from "@ai-sdk/react";
import { useCallback, useRef, useState } from "react";
import { MOST_MESSAGES, readMessages, SCREEN } from "../api/conversations";
import { type ChatMessage, fromStored } from "./message";

type State = "idle" | "busy" | "failed";

export function useEarlier(chat: Chat<ChatMessage>, hasMore: boolean) {
  const [more, setMore] = useState(hasMore);
  const [state, setState] = useState<State>("idle");
  const left = useRef(hasMore);
  const reading = useRef<Promise<void> | null>(null);

  const read = useCallback(
    async (limit: number) => {
      const first = chat.messages[0]?.metadata?.seq;
      if (first === undefined) return;
      setState("busy");
      try {
        const page = await readMessages(chat.id, { before: first, limit });
        chat.messages = [...page.items.map(fromStored), ...chat.messages];
        left.current = page.hasMore;
        setMore(page.hasMore);
        setState("idle");
      } catch (error) {
        setState("failed");
        throw error;
      }
    },
    [chat],
  );

  /** Asked for twice at once, it is read once. */
  const load = useCallback(
    (limit: number = SCREEN): Promise<void> => {
      reading.current ??= read(limit).finally(() => {
        reading.current = null;
      });
      return reading.current;
    },
    [read],
  );

  /** Whether the message is among those that are shown, once all that may have it were read. */
  const reach = useCallback(
    async (messageId: string): Promise<boolean> => {
      const isThere = () => chat.messages.some(({ id }) => id === messageId);
      while (!isThere() && left.current) {
        const before = chat.messages[0];
        await load(MOST_MESSAGES);
        if (chat.messages[0] === before) break;
      }
      return isThere();
    },
    [chat, load],
  );

  return { more, busy: state === "busy", failed: state === "failed", load, reach };
}
