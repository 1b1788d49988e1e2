/** Reads server-sent events from a body. Comments, which keep the connection alive, are left out. */

export interface ServerEvent {
  id: string | null;
  data: string;
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
}

function parseEvent(block: string): ServerEvent | null {
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [name, value] = fieldOf(line);
    if (name === "id") id = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 ? null : { id, data: data.join("\n") };
}

/**
 * What comes after the last blank line is incomplete and is never given out. `onBytes` hears of
 * everything that arrives, comments too.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true }))
        .replaceAll("\r\n", "\n")
        .split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
