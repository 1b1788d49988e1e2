/**
 * Places for streams. A browser opens six connections to one server, for all its tabs together; only
 * some of them may be taken for answers that are watched, so that everything else gets through.
 *
 * A tab that is not looked at has no place: it shows what was said when it is looked at again.
 */

const PLACES = ["assent.stream.1", "assent.stream.2", "assent.stream.3"];

/** What is used of the browser's locks. Plain HTTP on other machines than this one has none. */
export interface PlaceLocks {
  request: (
    name: string,
    options: { ifAvailable: true },
    held: (lock: unknown) => Promise<void> | undefined,
  ) => Promise<unknown>;
}

export interface Place {
  /** Aborted when the place has to be left, because nobody looks any more. */
  signal: AbortSignal;
  leave: () => void;
}

export type TakePlace = () => Promise<Place | null>;

/** How to give it back; nothing if somebody else has it. */
function take(locks: PlaceLocks, name: string): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return undefined;
      })
      .catch(reject);
  });
}

async function takeFirst(locks: PlaceLocks | undefined): Promise<(() => void) | null> {
  if (locks === undefined) return () => undefined;
  for (const name of PLACES) {
    const release = await take(locks, name);
    if (release !== null) return release;
  }
  return null;
}

/** Nothing when all are taken, and in a tab that is not looked at. */
export async function takePlace(
  locks: PlaceLocks | undefined = navigator.locks as PlaceLocks | undefined,
): Promise<Place | null> {
  const release = document.hidden ? null : await takeFirst(locks);
  if (release === null) return null;
  const lost = new AbortController();
  const left = new AbortController();
  const look = () => document.hidden && lost.abort();
  document.addEventListener("visibilitychange", look, { signal: left.signal });
  look();
  return {
    signal: lost.signal,
    leave: () => {
      left.abort();
      release();
    },
  };
}
