import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseProblem, unreachable } from "../../src/api/problem";
import { createQueryClient } from "../../src/session/query-client";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function failWith(status: number): Error {
  return parseProblem(new Response(null, { status }), {});
}

/** Somebody looks at what always fails like this. */
function read(error: Error) {
  const queryFn = vi.fn(() => Promise.reject(error));
  const looking = new QueryObserver(createQueryClient(), { queryKey: ["systems"], queryFn });
  looking.subscribe(() => {});
  return async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return { status: looking.getCurrentResult().status, tries: queryFn.mock.calls.length };
  };
}

it.each([
  ["a server that fails", failWith(503)],
  ["a server that is not reached", unreachable()],
])("asks %s three times within two seconds, and then says so", async (_, error) => {
  const after = read(error);
  expect(await after(400)).toEqual({ status: "pending", tries: 1 });
  expect(await after(600)).toEqual({ status: "pending", tries: 2 });
  expect(await after(900)).toEqual({ status: "error", tries: 3 });
  expect(await after(60_000)).toEqual({ status: "error", tries: 3 });
});

it.each([403, 404, 429])("says at once what another try would not change: %s", async (status) => {
  expect(await read(failWith(status))(10)).toEqual({ status: "error", tries: 1 });
});
