/**
 * Between the `ai` client and the server: one answer is one stream, however often the connection
 * breaks. A stream that has to begin again ends here; the page then follows it as a replay.
 */

import type { ChatTransport, UIMessageChunk } from "ai";
import { Problem, UNREACHABLE } from "../api/problem";
import { openStream } from "../api/stream";
import { readEvents, type ServerEvent } from "./event-stream";
import { type ChatMessage, textOf } from "./message";

const DONE = "[DONE]";
const RUN_ID = "x-assent-run-id";
const TRIES = 10;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** The message did not reach the server, or was refused. Sent again with its id it is the same. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super("The message was not sent.", { cause });
    this.name = "NotSent";
  }
}

type Wait = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("Stopped", "AbortError"));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function mayComeBack(error: unknown): boolean {
  return error instanceof Problem && (error.code === UNREACHABLE || error.status >= 500);
}

/** Stopped here, it is over; refused, the page looks at what is stored instead. */
function giveUp(error: unknown, signal: AbortSignal | undefined): null {
  if (signal?.aborted) throw error;
  return null;
}

interface Following {
  signal: AbortSignal | undefined;
  wait: Wait;
}

/** The same run after the last event seen; nothing when its events are no longer kept. */
async function reopen(
  runId: string,
  lastEventId: string | null,
  { signal, wait }: Following,
): Promise<Response | null> {
  const path = `/api/runs/${encodeURIComponent(runId)}/stream`;
  let failure: unknown = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    await wait(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS), signal);
    try {
      return await openStream(path, { lastEventId, signal });
    } catch (error) {
      if (!mayComeBack(error)) return giveUp(error, signal);
      failure = error;
    }
  }
  throw failure;
}

interface Progress {
  started: boolean;
  lastEventId: string | null;
}

/** Over when it says so, or when it begins again: then what was given out is void. */
function parseChunk({ data }: ServerEvent, progress: Progress): UIMessageChunk | null {
  if (data === DONE) return null;
  const chunk = JSON.parse(data) as UIMessageChunk;
  return chunk.type === "start" && progress.started ? null : chunk;
}

/** Gives out what one connection brings and answers whether the stream is over. */
async function* readConnection(
  body: ReadableStream<Uint8Array>,
  progress: Progress,
  signal: AbortSignal | undefined,
): AsyncGenerator<UIMessageChunk, boolean> {
  try {
    for await (const event of readEvents(body)) {
      const chunk = parseChunk(event, progress);
      if (chunk === null) return true;
      progress.started = true;
      progress.lastEventId = event.id ?? progress.lastEventId;
      yield chunk;
    }
  } catch (error) {
    if (signal?.aborted || error instanceof SyntaxError) throw error;
  }
  return false;
}

async function* followRun(first: Response, following: Following): AsyncGenerator<UIMessageChunk> {
  const runId = first.headers.get(RUN_ID);
  const progress: Progress = { started: false, lastEventId: null };
  let response: Response | null = first;
  while (response?.body) {
    const over: boolean = yield* readConnection(response.body, progress, following.signal);
    if (over || runId === null) return;
    response = await reopen(runId, progress.lastEventId, following);
  }
}

function toStream(chunks: AsyncGenerator<UIMessageChunk>): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

type Send = Parameters<ChatTransport<ChatMessage>["sendMessages"]>[0];
type Reconnect = Parameters<ChatTransport<ChatMessage>["reconnectToStream"]>[0];

export class AssentTransport implements ChatTransport<ChatMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #wait: Wait;

  constructor(wait: Wait = waitFor) {
    this.#wait = wait;
  }

  async sendMessages({ chatId, messages, abortSignal: signal }: Send) {
    const message = messages.findLast(({ role }) => role === "user");
    if (message === undefined) throw new Error("There is nothing to send");
    const body = {
      conversationId: chatId,
      message: { id: message.id, text: textOf(message) },
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    try {
      const response = await openStream("/api/chat", { body, signal });
      return toStream(followRun(response, { signal, wait: this.#wait }));
    } catch (error) {
      throw signal?.aborted ? error : new NotSent(error);
    }
  }

  /** Nothing when nothing runs, and when it cannot be known: the page looks again by itself. */
  async reconnectToStream({ chatId, abortSignal: signal }: Reconnect) {
    try {
      const path = `/api/chat/${encodeURIComponent(chatId)}/stream`;
      const response = await openStream(path, { signal });
      if (response.status === 204) return null;
      return toStream(followRun(response, { signal, wait: this.#wait }));
    } catch (error) {
      if (signal?.aborted) throw error;
      return null;
    }
  }
}
