/** The present moment by the server's clock, again every so often. */

import { useEffect, useState } from "react";
import { clock } from "../api/client";

const EVERY_SECOND = 1_000;

export function useServerNow(everyMs: number): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Renders again only when the moment has come. */
export function useIsPast(iso: string): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const look = () => setPast(clock.now() >= Date.parse(iso));
    look();
    const timer = setInterval(look, EVERY_SECOND);
    return () => clearInterval(timer);
  }, [iso]);
  return past;
}
