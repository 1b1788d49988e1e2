/**
 * One tab of a browser leads: it does what must be done once, and when it goes another takes over.
 *
 * A browser opens only a few connections to one server, so that a stream for each tab would stop
 * the pages of somebody with many tabs.
 */

/** What is used of the browser's locks. Plain HTTP on other machines than this one has none. */
export interface Locks {
  request: (
    name: string,
    options: { signal: AbortSignal },
    held: () => Promise<void>,
  ) => Promise<unknown>;
}

type Work = (signal: AbortSignal) => Promise<void>;

/** Waits for its turn, then works until it is told to stop. */
export async function lead(
  name: string,
  work: Work,
  { signal, locks }: { signal: AbortSignal; locks: Locks | undefined },
): Promise<void> {
  if (locks === undefined) return workWhileSeen(work, signal);
  try {
    await locks.request(name, { signal }, () => work(signal));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Without locks the tab that is looked at leads; that is one, or one for each window. */
async function workWhileSeen(work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await untilSeen(true, signal);
    const hidden = new AbortController();
    void untilSeen(false, signal).then(() => hidden.abort());
    await work(AbortSignal.any([signal, hidden.signal]));
  }
}

function untilSeen(seen: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watch = new AbortController();
    const look = () => {
      if (document.hidden === seen && !signal.aborted) return;
      watch.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", look, { signal: watch.signal });
    signal.addEventListener("abort", look, { signal: watch.signal });
    look();
  });
}
