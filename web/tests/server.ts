/** Stands in for the server: answers by method and path, and keeps what it was asked. */

import { vi } from "vitest";

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

type Answers = Record<string, Answer | ((asked: Asked) => Answer)>;

export function stubServer(answers: Answers): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", async (input: Request | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const text = await request.text();
    const asked: Asked = {
      method: request.method,
      path: new URL(request.url).pathname,
      query: new URL(request.url).searchParams,
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
    all.push(asked);
    const found = answers[`${asked.method} ${asked.path}`];
    if (found === undefined) throw new Error(`Not expected: ${asked.method} ${asked.path}`);
    const { status = 200, body, headers = {} } = typeof found === "function" ? found(asked) : found;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  });
  return all;
}

export function problem(status: number, fields: Record<string, unknown> = {}) {
  return { status, body: { title: "A problem", status, detail: "A problem.", ...fields } };
}
