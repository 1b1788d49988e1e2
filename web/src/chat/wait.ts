/** Waiting for a server: until there is a connection again, or it has less to do. */

import { Problem } from "../api/problem";

const BUSY_TRIES = 5;

export type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** Ends early when the browser has a connection again. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = (act: () => void) => () => {
      clearTimeout(timer);
      over.abort();
      act();
    };
    const stop = end(() => reject(new DOMException("Stopped", "AbortError")));
    const timer = setTimeout(end(resolve), milliseconds);
    window.addEventListener("online", end(resolve), { signal: over.signal });
    signal?.addEventListener("abort", stop, { signal: over.signal });
  });
}

/** The server has too much to do at this moment: nothing was begun. */
function isBusy(error: unknown): error is Problem {
  return error instanceof Problem && error.status === 503 && error.code === "busy";
}

/** Said once more with the same id, it is the same message; so a server that is busy is asked again. */
export async function insist<Answer>(
  ask: () => Promise<Answer>,
  wait: Wait,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error) || tries >= BUSY_TRIES) throw error;
      await wait((error.retryAfterSeconds ?? tries) * 1_000, signal);
    }
  }
}
