/** Stands in for the chat routes of the server: streams that are cut, or go on, as a test wants. */

import { vi } from "vitest";

export interface AskedStream {
  method: string;
  path: string;
  lastEventId: string | null;
  headers: Headers;
  body: unknown;
}

type Answer = () => Response | Promise<Response>;

export const RUN = "run-1";

export function event(seq: number, chunk: object): string {
  return `id: ${RUN}:1:${seq}\ndata: ${JSON.stringify(chunk)}\n\n`;
}

export const START = event(0, {
  type: "start",
  messageId: "answer-1",
  messageMetadata: { runId: RUN },
});
export const DONE = "data: [DONE]\n\n";

export const delta = (seq: number, text: string) =>
  event(seq, { type: "text-delta", id: "0", delta: text });
export const textStart = (seq: number) => event(seq, { type: "text-start", id: "0" });
export const textEnd = (seq: number) => event(seq, { type: "text-end", id: "0" });
export const finish = (seq: number) => event(seq, { type: "finish", finishReason: "stop" });

/** A body that ends, or breaks, after the given pieces. */
export function streamOf(pieces: readonly string[], ending: "ends" | "breaks" = "ends"): Response {
  const encoder = new TextEncoder();
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(encoder.encode(piece));
      else if (ending === "ends") controller.close();
      else controller.error(new TypeError("network error"));
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "x-assent-run-id": RUN },
  });
}

export function answerInTurn(answers: Answer[]): AskedStream[] {
  const all: AskedStream[] = [];
  const rest = [...answers];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    all.push({
      method: init.method ?? "GET",
      path: input.pathname,
      lastEventId: headers.get("last-event-id"),
      headers,
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    });
    const answer = rest.shift();
    if (answer === undefined) throw new Error(`Not expected: ${input.pathname}`);
    return answer();
  });
  return all;
}
