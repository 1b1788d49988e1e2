import { describe, expect, it } from "vitest";
import { readEvents, type ServerEvent } from "../../src/api/event-stream";

async function read(pieces: Uint8Array[]): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("readEvents", () => {
  it("reads events with and without an id", async () => {
    expect(await read([bytes("id: a:1:2\ndata: {}\n\ndata: [DONE]\n\n")])).toEqual([
      { id: "a:1:2", data: "{}" },
      { id: null, data: "[DONE]" },
    ]);
  });

  it("does not care where the pieces are cut, not even inside a character", async () => {
    const whole = bytes('id: 1\ndata: "größer"\n\n');
    const pieces = [...whole].map((byte) => new Uint8Array([byte]));
    expect(await read(pieces)).toEqual([{ id: "1", data: '"größer"' }]);
  });

  it("leaves out heartbeats and what was cut off", async () => {
    expect(await read([bytes(": heartbeat\n\ndata: 1\n\ndata: 2")])).toEqual([
      { id: null, data: "1" },
    ]);
  });

  it("takes line ends of either kind", async () => {
    expect(await read([bytes("id: 1\r\ndata: a\r\ndata: b\r"), bytes("\n\r\n")])).toEqual([
      { id: "1", data: "a\nb" },
    ]);
  });
});
