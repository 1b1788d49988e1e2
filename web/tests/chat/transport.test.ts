import type { Chat } from "@ai-sdk/react";
import { describe, expect, it } from "vitest";
import { type ChatMessage, textOf } from "../../src/chat/message";
import { NotSent } from "../../src/chat/transport";
import { openChat } from "./open-chat";
import {
  answerInTurn,
  DONE,
  delta,
  event,
  finish,
  START,
  streamOf,
  textEnd,
  textStart,
} from "./streams";

const answerOf = (chat: Chat<ChatMessage>) => chat.messages.filter((m) => m.role === "assistant");

describe("sending", () => {
  it("posts only the last message, with its id, the zone and the csrf header", async () => {
    const asked = answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Hi."), textEnd(3), finish(4), DONE]),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: "POST",
      path: "/api/chat",
      body: {
        conversationId: "chat-1",
        message: { id: chat.messages[0]?.id, text: "Hello" },
        timeZone: expect.any(String),
      },
    });
    expect(asked[0]?.headers.get("x-assent-csrf")).toBe("1");
    expect(chat.status).toBe("ready");
    expect(answerOf(chat).map(textOf)).toEqual(["Hi."]);
    expect(chat.messages[1]).toMatchObject({ id: "answer-1", metadata: { runId: "run-1" } });
  });

  it("goes on after the last event seen when the connection breaks", async () => {
    const asked = answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "One, ")], "breaks"),
      () => streamOf([delta(3, "two, ")], "ends"),
      () => streamOf([delta(4, "three."), textEnd(5), finish(6), DONE]),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Count" });
    expect(asked.map(({ path, lastEventId }) => [path, lastEventId])).toEqual([
      ["/api/chat", null],
      ["/api/runs/run-1/stream", "run-1:1:2"],
      ["/api/runs/run-1/stream", "run-1:1:3"],
    ]);
    expect(answerOf(chat).map(textOf)).toEqual(["One, two, three."]);
  });

  it("waits longer and longer while the server is away", async () => {
    const away = () => Promise.reject(new TypeError("Failed to fetch"));
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Still ")], "breaks"),
      away,
      () => new Response(null, { status: 503 }),
      () => streamOf([delta(3, "here."), textEnd(4), finish(5), DONE]),
    ]);
    const { chat, wait } = openChat();
    await chat.sendMessage({ text: "Are you there?" });
    expect(wait.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([250, 500, 1_000]);
    expect(answerOf(chat).map(textOf)).toEqual(["Still here."]);
    expect(chat.status).toBe("ready");
  });

  it("fails when the server stays away, and keeps what it has", async () => {
    const away = () => Promise.reject(new TypeError("Failed to fetch"));
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Half")], "breaks"),
      ...Array.from({ length: 30 }, () => away),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.status).toBe("error");
    expect(answerOf(chat).map(textOf)).toEqual(["Half"]);
  });

  it.each([404, 410])("ends quietly when the events are gone (%i)", async (status) => {
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Half")], "breaks"),
      () => new Response(JSON.stringify({ code: "gone" }), { status }),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.status).toBe("ready");
  });

  it("is interrupted by a second beginning: the page replays it instead", async () => {
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "One, ")], "breaks"),
      () => streamOf([START, textStart(1), delta(2, "One, "), delta(3, "two.")]),
    ]);
    const { chat, onInterrupted } = openChat();
    await chat.sendMessage({ text: "Count" });
    expect(answerOf(chat).map(textOf)).toEqual(["One, "]);
    expect(onInterrupted).toHaveBeenCalledOnce();
  });

  it("is interrupted when the stream is over before the answer is", async () => {
    answerInTurn([() => streamOf([START, textStart(1), delta(2, "One, "), DONE])]);
    const { chat, onInterrupted } = openChat();
    await chat.sendMessage({ text: "Count" });
    expect(chat.status).toBe("ready");
    expect(onInterrupted).toHaveBeenCalledOnce();
  });

  it.each([finish(3), event(3, { type: "abort" }), event(3, { type: "error", errorText: "No." })])(
    "is not interrupted after %s",
    async (ending) => {
      answerInTurn([() => streamOf([START, textStart(1), textEnd(2), ending, DONE])]);
      const { chat, onInterrupted } = openChat();
      await chat.sendMessage({ text: "Count" });
      expect(onInterrupted).not.toHaveBeenCalled();
    },
  );

  it("asks a busy server again with the same message, before anything is shown", async () => {
    const busy = () =>
      new Response(JSON.stringify({ code: "busy", detail: "Too much." }), {
        status: 503,
        headers: { "content-type": "application/problem+json", "retry-after": "1" },
      });
    const asked = answerInTurn([
      busy,
      busy,
      () => streamOf([START, textStart(1), delta(2, "Hi."), textEnd(3), finish(4), DONE]),
    ]);
    const { chat, wait } = openChat();
    const seen = new Set<string>();
    wait.mockImplementation(async () => void seen.add(chat.status));
    await chat.sendMessage({ text: "Hello" });
    const ids = asked.map(({ body }) => (body as { message: { id: string } }).message.id);
    expect(new Set(ids)).toEqual(new Set([chat.messages[0]?.id]));
    expect(ids).toHaveLength(3);
    expect([...seen]).toEqual(["submitted"]);
    expect(wait.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([1_000, 1_000]);
    expect(answerOf(chat).map(textOf)).toEqual(["Hi."]);
    expect(chat.error).toBeUndefined();
  });

  it("says that it was not sent when the server stays busy", async () => {
    const asked = answerInTurn(
      Array.from({ length: 9 }, () => () => {
        const body = JSON.stringify({ code: "busy", detail: "Too much." });
        return new Response(body, { status: 503 });
      }),
    );
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.error).toBeInstanceOf(NotSent);
    expect(asked).toHaveLength(5);
    expect(chat.messages.map(textOf)).toEqual(["Hello"]);
  });

  it("says when a message was not sent, and sends the same one again", async () => {
    const asked = answerInTurn([
      () => new Response(JSON.stringify({ code: "busy", detail: "Busy." }), { status: 429 }),
      () => streamOf([START, textStart(1), delta(2, "Hi."), textEnd(3), finish(4), DONE]),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.error).toBeInstanceOf(NotSent);
    expect(chat.error?.cause).toMatchObject({ status: 429, detail: "Busy." });
    await chat.regenerate();
    expect(asked[1]?.body).toEqual(asked[0]?.body);
    expect(chat.messages.map(textOf)).toEqual(["Hello", "Hi."]);
  });

  it("shows what a failed run says", async () => {
    answerInTurn([
      () => streamOf([START, event(1, { type: "error", errorText: "No credit." }), DONE]),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.error?.message).toBe("No credit.");
    expect(chat.error).not.toBeInstanceOf(NotSent);
    expect(chat.lastMessage?.metadata).toMatchObject({
      status: "failed",
      error: { message: "No credit." },
    });
  });

  it("keeps a stopped answer", async () => {
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Half"), event(3, { type: "abort" }), DONE]),
    ]);
    const { chat } = openChat();
    await chat.sendMessage({ text: "Hello" });
    expect(chat.status).toBe("ready");
    expect(answerOf(chat).map(textOf)).toEqual(["Half"]);
    expect(chat.lastMessage?.metadata).toMatchObject({ runId: "run-1", status: "cancelled" });
  });
});

const SAID: ChatMessage = { id: "said-1", role: "user", parts: [{ type: "text", text: "Hello" }] };
const OLD: ChatMessage = {
  id: "answer-0",
  role: "assistant",
  parts: [{ type: "text", text: "I prepared this." }],
};

describe("resuming", () => {
  it("does nothing when nothing runs", async () => {
    const asked = answerInTurn([() => new Response(null, { status: 204 })]);
    const { chat } = openChat([SAID, OLD]);
    await chat.resumeStream();
    expect(asked[0]).toMatchObject({ method: "GET", path: "/api/chat/chat-1/stream" });
    expect(chat.status).toBe("ready");
    expect(chat.messages).toEqual([SAID, OLD]);
  });

  it("does nothing when it cannot be known: the page looks again", async () => {
    answerInTurn([() => Promise.reject(new TypeError("Failed to fetch"))]);
    const { chat } = openChat([SAID]);
    await chat.resumeStream();
    expect(chat.status).toBe("ready");
  });

  it("shows a turn after a decision as a message of its own", async () => {
    answerInTurn([
      () => streamOf([START, textStart(1), delta(2, "Done."), textEnd(3), finish(4), DONE]),
    ]);
    const { chat } = openChat([SAID, OLD]);
    await chat.resumeStream();
    expect(chat.messages.map(textOf)).toEqual(["Hello", "I prepared this.", "Done."]);
  });

  it("replays from the beginning over what was there of the same answer", async () => {
    answerInTurn([
      () =>
        streamOf([START, textStart(1), delta(2, "One, "), delta(3, "two."), textEnd(4), finish(5)]),
      () => streamOf([DONE]),
    ]);
    const half: ChatMessage = {
      ...OLD,
      id: "answer-1",
      parts: [
        { type: "text", text: "One, " },
        {
          type: "dynamic-tool",
          toolName: "catalog.listSystems",
          toolCallId: "call-1",
          state: "input-streaming",
          input: undefined,
        },
      ],
    };
    const { chat } = openChat([SAID, half]);
    await chat.resumeStream();
    expect(chat.messages.map(textOf)).toEqual(["Hello", "One, two."]);
    expect(chat.messages[1]?.parts).toHaveLength(1);
  });
});

describe("deeds", () => {
  const whole = () =>
    streamOf([START, textStart(1), delta(2, "Done."), textEnd(3), finish(4), DONE]);

  it("joins the turn after a decision as a message of its own", async () => {
    const asked = answerInTurn([whole]);
    const { chat } = openChat([SAID, OLD]);
    await chat.resumeStream({ body: { decision: { proposalId: "p1" } } });
    expect(asked[0]).toMatchObject({
      method: "POST",
      path: "/api/chat",
      body: { conversationId: "chat-1", decision: { proposalId: "p1" } },
    });
    expect(chat.messages.map(textOf)).toEqual(["Hello", "I prepared this.", "Done."]);
  });

  it("does nothing when there is no turn to join", async () => {
    answerInTurn([() => new Response(JSON.stringify({ code: "conflict" }), { status: 409 })]);
    const { chat } = openChat([SAID, OLD]);
    await chat.resumeStream({ body: { decision: { proposalId: "p1" } } });
    expect(chat.status).toBe("ready");
    expect(chat.messages).toEqual([SAID, OLD]);
  });

  it("sends an answer, and says when it did not arrive", async () => {
    const answer = { partId: "q1", value: { where: "a" } };
    const asked = answerInTurn([() => new Response(null, { status: 503 }), whole]);
    const { chat } = openChat([SAID, OLD]);
    await chat.resumeStream({ body: { answer } });
    expect(chat.error).toBeInstanceOf(NotSent);
    await chat.resumeStream({ body: { answer } });
    expect(asked[1]?.body).toMatchObject({ conversationId: "chat-1", answer });
    expect(chat.messages.map(textOf)).toEqual(["Hello", "I prepared this.", "Done."]);
  });
});
