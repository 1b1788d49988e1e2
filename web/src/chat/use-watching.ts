/** An answer that is not watched here, for want of a place, until there is one. */

import { useCallback, useEffect, useState } from "react";
import { takePlace } from "../live/places";

const AGAIN_MS = 2_000;

/** Whether what runs is not watched; the transport says so. */
export function useUnwatched(running: boolean) {
  const [noPlace, onUnwatched] = useState(false);
  return { unwatched: noPlace && running, onUnwatched };
}

/** Looks as soon as there may be a place: another tab has left one, or this one is looked at. */
export function useWatchAgain(unwatched: boolean, look: () => Promise<void>): void {
  const again = useCallback(async () => {
    const place = await takePlace();
    if (place === null) return;
    place.leave();
    await look();
  }, [look]);
  useEffect(() => {
    if (!unwatched) return;
    const quietly = () => void again().catch(() => undefined);
    const timer = setInterval(quietly, AGAIN_MS);
    document.addEventListener("visibilitychange", quietly);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", quietly);
    };
  }, [unwatched, again]);
}
