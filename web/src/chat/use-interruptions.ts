/** Goes on following an answer that another server took over, without a moment of looking idle. */

import type { Chat } from "@ai-sdk/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { type ChatMessage, keepShown } from "./message";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const TRIES = 30;

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Whether the answer goes on elsewhere; `take` tells whether that came anew. */
export function useInterruption() {
  const [interrupted, setInterrupted] = useState(false);
  const fresh = useRef(false);
  const onInterrupted = useCallback(() => {
    fresh.current = true;
    setInterrupted(true);
  }, []);
  const take = useCallback(() => {
    const was = fresh.current;
    fresh.current = false;
    return was;
  }, []);
  const end = useCallback(() => setInterrupted(false), []);
  return { interrupted, onInterrupted, take, end };
}

/** What is shown while an answer is told anew: never less than before. */
export function useSteadyAnswer(messages: ChatMessage[], interrupted: boolean): ChatMessage[] {
  const shown = useRef<ChatMessage[]>([]);
  shown.current = interrupted ? keepShown(messages, shown.current) : messages;
  return shown.current;
}

/** A replay shows all of the answer once more, and may be interrupted in its turn. */
export function useReplay(
  chat: Chat<ChatMessage>,
  { interrupted, take, end }: ReturnType<typeof useInterruption>,
  streaming: boolean,
): void {
  const replaying = useRef(false);
  useEffect(() => {
    if (!interrupted || streaming || replaying.current) return;
    const replay = async () => {
      for (let tries = 0; tries < TRIES && take(); tries += 1) {
        await pause(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
        await chat.resumeStream();
      }
    };
    replaying.current = true;
    void replay().finally(() => {
      replaying.current = false;
      end();
    });
  }, [chat, interrupted, streaming, take, end]);
}
