/** The tabs of one browser hear the same events, of which only one tab holds the connection. */

import type { LiveEvent } from "./event";
import { followEvents, type Listener } from "./follow-events";
import { type Locks, lead } from "./lead";

type Said =
  | { kind: "event"; event: LiveEvent }
  | { kind: "connected"; connected: boolean }
  /** A tab that has just come wants to know how things stand. */
  | { kind: "asks" };

interface Surroundings {
  locks: Locks | undefined;
  follow: (listener: Listener, signal: AbortSignal) => Promise<void>;
}

/** Taken when it is needed: a page over plain HTTP has no locks. */
function browser(): Surroundings {
  return { locks: navigator.locks as Locks | undefined, follow: followEvents };
}

/** Joins under a name; answers how to leave. Whoever leads tells the others what it hears. */
export function joinTabs(
  name: string,
  { onEvent, onConnected }: Listener,
  { locks, follow }: Surroundings = browser(),
): () => void {
  const left = new AbortController();
  const channel = new BroadcastChannel(name);
  const say = (said: Said) => left.signal.aborted || channel.postMessage(said);
  let connected: boolean | null = null;

  const own: Listener = {
    onEvent: (event) => {
      say({ kind: "event", event });
      onEvent(event);
    },
    onConnected: (now) => {
      connected = now;
      say({ kind: "connected", connected: now });
      onConnected(now);
    },
  };

  channel.onmessage = ({ data }: MessageEvent<Said>) => {
    if (data.kind === "event") onEvent(data.event);
    else if (data.kind === "connected") onConnected(data.connected);
    else if (connected !== null) say({ kind: "connected", connected });
  };
  say({ kind: "asks" });
  void lead(
    name,
    async (signal) => {
      own.onConnected(false);
      await follow(own, signal);
      connected = null;
    },
    { signal: left.signal, locks },
  );

  return () => {
    left.abort();
    channel.close();
  };
}
