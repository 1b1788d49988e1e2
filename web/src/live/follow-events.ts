/** Follows the events of the signed-in person, for as long as it takes. */

import { readEvents } from "../api/event-stream";
import { Problem } from "../api/problem";
import { openStream } from "../api/stream";
import { type LiveEvent, parseLiveEvent } from "./event";

const PATH = "/api/events";
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The server says something every few seconds; a connection without a word is dead. */
const SILENCE_MS = 60_000;

export interface Listener {
  onEvent: (event: LiveEvent) => void;
  onConnected: (connected: boolean) => void;
}

type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Ends early when the connection comes back, or when nobody waits any more. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener("online", end, { signal: over.signal });
    signal.addEventListener("abort", end, { signal: over.signal });
    if (signal.aborted) end();
  });
}

/** Calls back when it was not touched for a while. */
function watchSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, SILENCE_MS);
  return {
    touch: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    end: () => clearTimeout(timer),
  };
}

async function* listen(signal: AbortSignal): AsyncGenerator<LiveEvent | null> {
  const silent = new AbortController();
  const silence = watchSilence(() => silent.abort());
  try {
    const response = await openStream(PATH, { signal: AbortSignal.any([signal, silent.signal]) });
    if (response.body === null) return;
    for await (const { data } of readEvents(response.body, silence.touch)) {
      yield parseLiveEvent(data);
    }
  } finally {
    silence.end();
  }
}

const isRefused = (error: unknown) =>
  error instanceof Problem && error.status >= 400 && error.status < 500;

/** One connection until it breaks; answers whether it ever said something. */
async function readOnce(signal: AbortSignal, listener: Listener): Promise<boolean> {
  let heard = false;
  try {
    for await (const event of listen(signal)) {
      if (!heard) listener.onConnected(true);
      heard = true;
      if (event !== null) listener.onEvent(event);
    }
  } catch (error) {
    if (isRefused(error)) throw error;
  }
  if (heard) listener.onConnected(false);
  return heard;
}

/** Many pages whose server comes back must not all ask in the same moment. */
function spread(milliseconds: number): number {
  return milliseconds * (0.5 + Math.random() / 2);
}

/** Nothing is asked again soon that the server refuses; it will not think otherwise in a moment. */
export async function followEvents(
  listener: Listener,
  signal: AbortSignal,
  wait: Wait = waitFor,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      failures = (await readOnce(signal, listener)) ? 0 : failures + 1;
      await wait(spread(Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)), signal);
    } catch {
      await wait(LONGEST_WAIT_MS, signal);
    }
  }
}
