// Feeds recorded streams to the AI SDK's own client and prints what it made of them.
// Usage: node client.mjs PACKAGE_FOLDER < scenarios.json
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const folder = path.resolve(process.argv[2]);
const entry = JSON.parse(readFileSync(path.join(folder, "package.json"))).exports["."].import;
const ai = await import(pathToFileURL(path.join(folder, entry)).href);

const complaints = [];
for (const level of ["error", "warn"]) {
  console[level] = (...words) => complaints.push(words.join(" "));
}
process.on("unhandledRejection", (reason) => complaints.push(`unhandled: ${reason}`));

class State {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => {
    this.messages = [...this.messages, structuredClone(message)];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index, message) => {
    this.messages = this.messages.with(index, structuredClone(message));
  };
  snapshot = (value) => structuredClone(value);
}

class Chat extends ai.AbstractChat {
  constructor(options) {
    super({ ...options, state: new State() });
  }
}

// Pieces that end anywhere, also inside a character.
function respond({ bytes, breaks }, size) {
  let position = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (position < bytes.length) {
        controller.enqueue(bytes.subarray(position, position + size));
        position += size;
      } else if (breaks) {
        controller.error(new TypeError("network error"));
      } else {
        controller.close();
      }
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function talk(responses, size) {
  const waiting = [...responses];
  const requests = [];
  const fetch = async (url, options) => {
    requests.push(`${options.method ?? "GET"} ${new URL(url).pathname}`);
    return respond(waiting.shift(), size);
  };
  const errors = [];
  const data = [];
  const finished = [];
  const chat = new Chat({
    id: "conversation",
    transport: new ai.DefaultChatTransport({ api: "http://localhost/api/chat", fetch }),
    onError: (error) => errors.push(error.message),
    onData: (part) => data.push(part),
    onFinish: ({ finishReason }) => finished.push(finishReason ?? null),
  });
  await chat.sendMessage({ text: "Go" });
  while (waiting.length > 0) {
    await chat.resumeStream();
  }
  const [, ...messages] = chat.messages;
  await validate(messages);
  return { messages, requests, errors, data, finished, status: chat.status };
}

// A denied call is not valid without an approval, which no chunk of major 6 can complete.
async function validate(messages) {
  const judged = messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => part.state !== "output-denied"),
  }));
  const filled = judged.filter((message) => message.parts.length > 0);
  if (filled.length > 0) {
    await ai.validateUIMessages({ messages: filled });
  }
}

async function findInvalid({ bytes }) {
  const schema = ai.uiMessageChunkSchema();
  const invalid = [];
  for (const line of new TextDecoder().decode(bytes).split("\n")) {
    if (line.startsWith("data: {")) {
      const checked = await schema.validate(JSON.parse(line.slice(6)));
      if (!checked.success) invalid.push(line);
    }
  }
  return invalid;
}

async function play(scenario) {
  const responses = scenario.map(({ bytes, breaks }) => ({
    bytes: Buffer.from(bytes, "base64"),
    breaks,
  }));
  complaints.length = 0;
  const whole = await talk(responses, 65_536);
  const piecewise = await talk(responses, 7);
  const invalid = (await Promise.all(responses.map(findInvalid))).flat();
  return { ...whole, piecewise: piecewise.messages, invalid, complaints: [...complaints] };
}

const scenarios = JSON.parse(readFileSync(0));
const results = {};
for (const [name, scenario] of Object.entries(scenarios)) {
  try {
    results[name] = await play(scenario);
  } catch (error) {
    results[name] = { thrown: String(error) };
  }
}
process.stdout.write(JSON.stringify(results));
