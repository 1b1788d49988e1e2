/** The one way to the server: typed requests, the CSRF header, and failures thrown as `Problem`. */

import createClient, { type Middleware } from "openapi-fetch";
import { ServerClock } from "../time/server-clock";
import { parseProblem, unreachable } from "./problem";
import type { paths } from "./types";

export const CSRF_HEADER = "x-assent-csrf";

const READING = new Set(["GET", "HEAD"]);

const stateChanging: Middleware = {
  onRequest({ request }) {
    if (READING.has(request.method)) return;
    request.headers.set(CSRF_HEADER, "1");
    if (!request.headers.has("content-type")) {
      request.headers.set("content-type", "application/json");
    }
  },
};

/** Deadlines are the server's: what this device thinks of the time does not count. */
export const clock = new ServerClock();

const readingTheClock: Middleware = {
  onResponse({ response }) {
    clock.observe(response.headers.get("date"));
  },
};

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  }
}

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  fetch: send,
});
api.use(stateChanging, readingTheClock);

interface Answered<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

export function take<Data>(answer: Answered<Data>): Data {
  if (answer.response.ok) return answer.data as Data;
  throw parseProblem(answer.response, answer.error);
}

type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], null | undefined> };

/** Leaves out what was not given, so that a query string never says `q=undefined`. */
export function given<Values extends object>(values: Values): Given<Values> {
  const kept = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  return Object.fromEntries(kept) as Given<Values>;
}
