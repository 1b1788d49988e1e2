/** When to look at a conversation again: soon after something happened, else now and then. */

import { useCallback, useEffect, useRef, useState } from "react";

const HURRY_MS = 15_000;
const SOON_MS = 1_000;
const LATER_MS = 4_000;

/** Looks while nothing goes on here and the page is seen; answers how to ask for a look soon. */
export function useLooking(look: () => Promise<void>, busy: boolean, atOnce: boolean): () => void {
  const hurryUntil = useRef(0);
  const first = useRef(atOnce);
  const [asked, setAsked] = useState(0);
  const wasBusy = useRef(false);
  if (busy) wasBusy.current = true;

  // biome-ignore lint/correctness/useExhaustiveDependencies: being asked starts the wait anew.
  useEffect(() => {
    if (busy) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const plan = (wait: number) => {
      clearTimeout(timer);
      timer = setTimeout(tick, wait);
    };
    const tick = async () => {
      if (!document.hidden) await look().catch(() => undefined);
      if (!over) plan(Date.now() < hurryUntil.current ? SOON_MS : LATER_MS);
    };
    const onVisible = () => plan(0);
    if (wasBusy.current) {
      // The title comes a moment after the first answer.
      hurryUntil.current = Math.max(hurryUntil.current, Date.now() + 3 * SOON_MS);
    }
    plan(first.current || wasBusy.current ? 0 : SOON_MS);
    first.current = false;
    wasBusy.current = false;
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      over = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [look, busy, asked]);

  return useCallback(() => {
    hurryUntil.current = Date.now() + HURRY_MS;
    setAsked((times) => times + 1);
  }, []);
}
