/** When to look at a conversation again: when something is announced, else now and then. */

import { useCallback, useEffect, useRef, useState } from "react";
import { useConnected, useLiveEvents } from "../live/live";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

interface Looked {
  id: string;
  look: () => Promise<void>;
  busy: boolean;
  /** Something runs already when the page is opened. */
  atOnce: boolean;
}

function quietly(look: () => Promise<void>): void {
  void look().catch(() => undefined);
}

/** Another title, or having been read, changes nothing of what was said. */
function useLookWhenTold({ id, look }: Looked): void {
  const known = useRef("");
  useLiveEvents((event) => {
    if (event.type === "conversation.changed" && event.conversation.id === id) {
      const { status, activeAt } = event.conversation;
      const now = `${status} ${activeAt}`;
      if (known.current !== now) quietly(look);
      known.current = now;
    } else if (event.type === "hello") quietly(look);
  });
}

/** What ends here was stored meanwhile, with how it ended. */
function useLookAtEnd({ look, busy, atOnce }: Looked): void {
  const due = useRef(atOnce);
  useEffect(() => {
    if (!busy && due.current) quietly(look);
    due.current = busy;
  }, [look, busy]);
}

/** While nothing is announced: soon after something happened, then more and more seldom. */
function useLookByItself({ look, busy }: Looked): () => void {
  const connected = useConnected();
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: being asked starts the wait anew.
  useEffect(() => {
    if (busy || connected) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const plan = (wait: number) => {
      timer = setTimeout(() => {
        if (!document.hidden) quietly(look);
        plan(Math.min(wait * 2, LONGEST_WAIT_MS));
      }, wait);
    };
    plan(FIRST_WAIT_MS);
    return () => clearTimeout(timer);
  }, [look, busy, connected, asked]);
  return useCallback(() => setAsked((times) => times + 1), []);
}

/** Answers how to say that something is about to happen. */
export function useLooking(looked: Looked): () => void {
  useLookAtEnd(looked);
  useLookWhenTold(looked);
  return useLookByItself(looked);
}
