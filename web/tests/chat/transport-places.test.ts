import { describe, expect, it, vi } from "vitest";
import { textOf } from "../../src/chat/message";
import { NotSent } from "../../src/chat/transport";
import type { TakePlace } from "../../src/live/places";
import { openChat } from "./open-chat";
import { answerInTurn, DONE, delta, finish, START, streamOf, textEnd, textStart } from "./streams";

describe("without a place among the browser's streams", () => {
  const nowhere: TakePlace = async () => null;

  it("sends what is said and leaves it to the page to look", async () => {
    const asked = answerInTurn([() => Response.json({ runId: "run-1" }, { status: 202 })]);
    const { chat, onUnwatched } = openChat([], nowhere);
    await chat.sendMessage({ text: "Hello" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: "POST",
      path: "/api/conversations/chat-1/messages",
      body: { message: { id: chat.messages[0]?.id, text: "Hello" } },
    });
    expect(chat.status).toBe("ready");
    expect(chat.messages.map(textOf)).toEqual(["Hello"]);
    expect(onUnwatched).toHaveBeenCalledExactlyOnceWith(true);
  });

  it("says when that was refused", async () => {
    answerInTurn([() => Response.json({ code: "busy" }, { status: 429 })]);
    const { chat } = openChat([], nowhere);
    await chat.sendMessage({ text: "Hello" });
    expect(chat.error).toBeInstanceOf(NotSent);
  });

  it("asks for no stream", async () => {
    const asked = answerInTurn([]);
    const { chat, onUnwatched } = openChat([], nowhere);
    await chat.resumeStream();
    expect(asked).toEqual([]);
    expect(chat.status).toBe("ready");
    expect(onUnwatched).toHaveBeenCalledExactlyOnceWith(true);
  });
});

describe("a place that has to be left", () => {
  /** A body that says so much and then waits, until the request is given up. */
  function endless(pieces: readonly string[], signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        const fail = () => controller.error(new DOMException("Aborted", "AbortError"));
        signal?.addEventListener("abort", fail);
      },
    });
    return new Response(body, { headers: { "x-assent-run-id": "run-1" } });
  }

  function openWatched() {
    const lost = new AbortController();
    const leave = vi.fn();
    const place: TakePlace = async () => ({ signal: lost.signal, leave });
    return { lost, leave, ...openChat([], place) };
  }

  it("ends the reading, keeps what there is, and calls it neither stopped nor interrupted", async () => {
    vi.stubGlobal("fetch", async (_input: URL, { signal }: RequestInit) =>
      endless([START, textStart(1), delta(2, "Half")], signal),
    );
    const { chat, lost, leave, onInterrupted, onUnwatched } = openWatched();
    const sending = chat.sendMessage({ text: "Hello" });
    await vi.waitFor(() => expect(chat.messages.map(textOf)).toEqual(["Hello", "Half"]));
    lost.abort();
    await sending;
    expect(chat.status).toBe("ready");
    expect(chat.error).toBeUndefined();
    expect(chat.messages.map(textOf)).toEqual(["Hello", "Half"]);
    expect(onInterrupted).not.toHaveBeenCalled();
    expect(onUnwatched.mock.calls).toEqual([[false], [true]]);
    expect(leave).toHaveBeenCalledOnce();
  });

  it("never takes back what is being sent", async () => {
    let given: AbortSignal | null | undefined;
    const { chat, lost, leave } = openWatched();
    vi.stubGlobal("fetch", async (_input: URL, { signal }: RequestInit) => {
      given = signal;
      lost.abort();
      expect(signal?.aborted).toBe(false);
      return endless([START], signal);
    });
    await chat.sendMessage({ text: "Hello" });
    expect(given?.aborted).toBe(true);
    expect(chat.error).toBeUndefined();
    expect(leave).toHaveBeenCalledOnce();
  });

  it("is left when the answer is over, and when there is none", async () => {
    const whole = [START, textStart(1), delta(2, "Hi."), textEnd(3), finish(4), DONE];
    answerInTurn([() => streamOf(whole), () => new Response(null, { status: 204 })]);
    const { chat, leave } = openWatched();
    await chat.sendMessage({ text: "Hello" });
    expect(leave).toHaveBeenCalledTimes(1);
    await chat.resumeStream();
    expect(leave).toHaveBeenCalledTimes(2);
  });

  it("is left when the answer is stopped here", async () => {
    vi.stubGlobal("fetch", async (_input: URL, { signal }: RequestInit) =>
      endless([START, textStart(1), delta(2, "Half")], signal),
    );
    const { chat, leave } = openWatched();
    const sending = chat.sendMessage({ text: "Hello" });
    await vi.waitFor(() => expect(chat.messages.map(textOf)).toEqual(["Hello", "Half"]));
    await chat.stop();
    await sending;
    await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce());
  });
});
