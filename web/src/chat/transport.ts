/**
 * Between the `ai` client and the server: one answer is one stream, however often the connection
 * breaks. An answer that has to begin again, because another server took it over, ends here as
 * interrupted; the page then follows it as a replay, which replaces what was shown of it. Without a
 * place among the browser's streams it ends as unwatched, and the page looks again later.
 */

import type { ChatTransport, UIMessageChunk } from "ai";
import { readEvents, type ServerEvent } from "../api/event-stream";
import { Problem, UNREACHABLE } from "../api/problem";
import { openStream } from "../api/stream";
import { type Place, type TakePlace, takePlace } from "../live/places";
import { fileIdsOf } from "./attachments";
import type { Anew, Deed } from "./deed";
import { type ChatMessage, type MessageMetadata, skillOf, textOf } from "./message";
import { insist, type Wait, waitFor } from "./wait";

const DONE = "[DONE]";
const RUN_ID = "x-assent-run-id";
const TRIES = 30;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** What was said did not reach the server, or was refused. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super("The message was not sent.", { cause });
    this.name = "NotSent";
  }
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
  /** Ends the connection: it is stopped here, or nobody looks any more. */
  signal: AbortSignal;
  place: Place;
  wait: Wait;
}

/** How following an answer came to its end. */
type Ending = "over" | "interrupted" | "unwatched";

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
  /** The answer itself has said that it is over. */
  ended: boolean;
  lastEventId: string | null;
}

const ENDINGS: ReadonlySet<UIMessageChunk["type"]> = new Set(["finish", "abort", "error"]);

/** Over when the server says so, or when it begins again: then what was given out is void. */
function parseChunk({ data }: ServerEvent, progress: Progress): UIMessageChunk | null {
  if (data === DONE) return null;
  const chunk = JSON.parse(data) as UIMessageChunk;
  return chunk.type === "start" && progress.started ? null : chunk;
}

/** How it ended, as it will be stored, so that a reload shows the same. */
function describeEnding(chunk: UIMessageChunk): MessageMetadata | null {
  if (chunk.type === "abort") return { status: "cancelled" };
  if (chunk.type !== "error") return null;
  return { status: "failed", error: { code: "", message: chunk.errorText } };
}

function* withEnding(chunk: UIMessageChunk): Generator<UIMessageChunk> {
  const ending = describeEnding(chunk);
  if (ending !== null) yield { type: "message-metadata", messageMetadata: ending };
  yield chunk;
}

/** Gives out what one connection brings and answers whether the stream is over. */
async function* readConnection(
  body: ReadableStream<Uint8Array>,
  progress: Progress,
  { signal, place }: Following,
): AsyncGenerator<UIMessageChunk, boolean> {
  try {
    for await (const event of readEvents(body)) {
      const chunk = parseChunk(event, progress);
      if (chunk === null) return true;
      progress.started = true;
      progress.ended ||= ENDINGS.has(chunk.type);
      progress.lastEventId = event.id ?? progress.lastEventId;
      yield* withEnding(chunk);
    }
  } catch (error) {
    const stopped = signal.aborted && !place.signal.aborted;
    if (stopped || error instanceof SyntaxError) throw error;
  }
  return false;
}

async function* readRun(
  first: Response,
  following: Following,
): AsyncGenerator<UIMessageChunk, Ending> {
  const runId = first.headers.get(RUN_ID);
  const progress: Progress = { started: false, ended: false, lastEventId: null };
  let response: Response | null = first;
  while (response?.body) {
    const over: boolean = yield* readConnection(response.body, progress, following);
    if (progress.ended) return "over";
    if (following.place.signal.aborted) return "unwatched";
    if (over || runId === null) return "interrupted";
    response = await reopen(runId, progress.lastEventId, following);
  }
  return "over";
}

async function* followRun(
  first: Response,
  following: Following,
): AsyncGenerator<UIMessageChunk, Ending> {
  try {
    return yield* readRun(first, following);
  } catch (error) {
    if (!following.place.signal.aborted) throw error;
    return "unwatched";
  } finally {
    following.place.leave();
  }
}

function toStream(
  chunks: AsyncGenerator<UIMessageChunk, Ending>,
  onEnd: (ending: Ending) => void,
): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (!done) return controller.enqueue(value);
      onEnd(value);
      controller.close();
    },
    async cancel() {
      await chunks.return("over");
    },
  });
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

type Send = Parameters<ChatTransport<ChatMessage>["sendMessages"]>[0];
type Reconnect = Parameters<ChatTransport<ChatMessage>["reconnectToStream"]>[0];

/** What the page is told besides what is said. */
export interface Told {
  onInterrupted: () => void;
  /** Whether what runs is not watched here, because there is no place for it. */
  onUnwatched: (unwatched: boolean) => void;
}

interface Surroundings {
  wait: Wait;
  takePlace: TakePlace;
}

export class AssentTransport implements ChatTransport<ChatMessage> {
  readonly resumeStreamIsReplay = true;
  readonly #told: Told;
  readonly #surroundings: Surroundings;

  constructor(told: Told, surroundings: Surroundings = { wait: waitFor, takePlace }) {
    this.#told = told;
    this.#surroundings = surroundings;
  }

  async #takePlace(): Promise<Place | null> {
    const place = await this.#surroundings.takePlace();
    this.#told.onUnwatched(place === null);
    return place;
  }

  #end(ending: Ending): void {
    if (ending === "interrupted") this.#told.onInterrupted();
    if (ending === "unwatched") this.#told.onUnwatched(true);
  }

  /** What is sent is not taken back when nobody looks any more: only reading ends then. */
  async #open(path: string, body: object | undefined, place: Place, stop?: AbortSignal) {
    const connection = new AbortController();
    const end = () => connection.abort();
    const { signal } = connection;
    stop?.addEventListener("abort", end, { signal });
    if (stop?.aborted) end();
    const response = await openStream(path, { body, signal });
    if (place.signal.aborted) end();
    place.signal.addEventListener("abort", end, { signal });
    if (response.status === 204) return null;
    const following = { signal, place, wait: this.#surroundings.wait };
    return toStream(followRun(response, following), (ending) => this.#end(ending));
  }

  async #follow(path: string, body: object | undefined, stop?: AbortSignal) {
    const place = await this.#takePlace();
    if (place === null) return null;
    try {
      const stream = await this.#open(path, body, place, stop);
      if (stream === null) place.leave();
      return stream;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  async #postOnce(chatId: string, body: object, signal: AbortSignal | undefined) {
    const sent = { ...body, conversationId: chatId };
    const stream = await this.#follow("/api/chat", sent, signal);
    if (stream !== null) return stream;
    const path = `/api/conversations/${encodeURIComponent(chatId)}/messages`;
    await openStream(path, { body, signal });
    return new ReadableStream<UIMessageChunk>({ start: (controller) => controller.close() });
  }

  async #post(chatId: string, body: object, signal: AbortSignal | undefined) {
    try {
      const { wait } = this.#surroundings;
      return await insist(() => this.#postOnce(chatId, body, signal), wait, signal);
    } catch (error) {
      throw signal?.aborted ? error : new NotSent(error);
    }
  }

  /** With `retry` the last message is said anew, and its older version goes. */
  async sendMessages({ chatId, messages, body, abortSignal: signal }: Send) {
    const anew = body as Anew | undefined;
    if (anew?.retry) return this.#post(chatId, { ...anew, timeZone: timeZone() }, signal);
    const message = messages.findLast(({ role }) => role === "user");
    if (message === undefined) throw new Error("There is nothing to send");
    const said = {
      id: message.id,
      text: textOf(message),
      fileIds: fileIdsOf(message.parts),
    };
    const skill = skillOf(message);
    const chosen = skill === null ? {} : { skillId: skill.data.skillId };
    return this.#post(chatId, { message: said, timeZone: timeZone(), ...chosen }, signal);
  }

  /**
   * With a deed it begins or joins the turn that comes of that, which is a message of its own.
   * Nothing when nothing runs, and when it cannot be known: the page looks again by itself.
   */
  async reconnectToStream({ chatId, abortSignal: signal, body }: Reconnect) {
    const deed = body as Deed | undefined;
    if (deed !== undefined && "answer" in deed) {
      return this.#post(chatId, { ...deed, timeZone: timeZone() }, signal);
    }
    try {
      if (deed !== undefined) return await this.#post(chatId, deed, signal);
      return await this.#follow(
        `/api/chat/${encodeURIComponent(chatId)}/stream`,
        undefined,
        signal,
      );
    } catch (error) {
      if (signal?.aborted) throw error;
      return null;
    }
  }
}
