import { describe, expect, it, vi } from "vitest";
import type { LiveEvent } from "../../src/live/event";
import { followEvents } from "../../src/live/follow-events";
import { answerInTurn, streamOf } from "../chat/streams";

const said = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const REMOVED: LiveEvent = { type: "conversation.removed", conversationId: "c1" };

/** Follows until the given number of waits is over. */
async function follow(waits: number) {
  const stop = new AbortController();
  const waited: number[] = [];
  const heard: unknown[] = [];
  await followEvents(
    {
      onEvent: (event) => heard.push(event),
      onConnected: (connected) => heard.push(connected),
    },
    stop.signal,
    async (milliseconds) => {
      waited.push(milliseconds);
      if (waited.length === waits) stop.abort();
    },
  );
  return { waited, heard };
}

describe("following events", () => {
  it("gives out what is said, and leaves out what it does not know", async () => {
    const asked = answerInTurn([
      () =>
        streamOf([
          ": heartbeat\n\n",
          said({ type: "hello" }),
          said({ type: "later" }),
          said(REMOVED),
        ]),
    ]);
    const { heard } = await follow(1);
    expect(asked[0]).toMatchObject({ method: "GET", path: "/api/events" });
    expect(heard).toEqual([true, { type: "hello" }, REMOVED, false]);
  });

  it("comes back soon after a connection that worked, later while the server is away", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const away = () => Promise.reject(new TypeError("Failed to fetch"));
    answerInTurn([away, away, () => streamOf([said({ type: "hello" })], "breaks"), away]);
    const { waited, heard } = await follow(4);
    expect(waited).toEqual([2_000, 4_000, 1_000, 2_000]);
    expect(heard).toEqual([true, { type: "hello" }, false]);
  });

  it.each([401, 404])("asks seldom when it is refused (%i)", async (status) => {
    const refused = () => new Response(JSON.stringify({ code: "no" }), { status });
    answerInTurn([refused, refused]);
    const { waited, heard } = await follow(2);
    expect(waited).toEqual([30_000, 30_000]);
    expect(heard).toEqual([]);
  });

  it("hangs up on a connection that is silent for too long", async () => {
    vi.useFakeTimers();
    try {
      const hung = vi.fn();
      vi.stubGlobal("fetch", async (_: URL, { signal }: RequestInit) => {
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(said({ type: "hello" })));
            signal?.addEventListener("abort", () => {
              hung();
              controller.error(new DOMException("Aborted", "AbortError"));
            });
          },
        });
        return new Response(body);
      });
      const following = follow(1);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(hung).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(2_000);
      const { heard } = await following;
      expect(hung).toHaveBeenCalledOnce();
      expect(heard).toEqual([true, { type: "hello" }, false]);
    } finally {
      vi.useRealTimers();
    }
  });
});
