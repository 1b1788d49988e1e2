/** Opens event streams. The client of `client.ts` reads whole answers; these go on for a while. */

import { CSRF_HEADER, clock } from "./client";
import { parseProblem, unreachable } from "./problem";

interface StreamRequest {
  /** What to post; without it the stream is read. */
  body?: unknown;
  lastEventId?: string | null;
  signal?: AbortSignal | undefined;
}

function describe({ body, lastEventId = null, signal }: StreamRequest): RequestInit {
  const headers = new Headers({ accept: "text/event-stream" });
  if (lastEventId !== null) headers.set("last-event-id", lastEventId);
  const shared = { headers, credentials: "same-origin" as const, signal: signal ?? null };
  if (body === undefined) return shared;
  headers.set("content-type", "application/json");
  headers.set(CSRF_HEADER, "1");
  return { ...shared, method: "POST", body: JSON.stringify(body) };
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

export async function openStream(path: string, request: StreamRequest): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(new URL(path, window.location.origin), describe(request));
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw unreachable();
  }
  clock.observe(response.headers.get("date"));
  if (!response.ok) throw parseProblem(response, await readBody(response));
  return response;
}
