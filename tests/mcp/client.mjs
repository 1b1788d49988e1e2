// Drives an official client against a server and prints what it saw as JSON.
// Usage: node client.mjs PACKAGE URL KEY REVISION, where PACKAGE is client (v2) or sdk (v1).
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, script, name, url, key, revision] = process.argv;
const folder = path.join(path.dirname(script), "..", "conformance", "package.json");
const require = createRequire(pathToFileURL(folder));
const load = (address) => import(pathToFileURL(require.resolve(address)).href);

const { Client, StreamableHTTPClientTransport } =
  name === "client"
    ? await load("@modelcontextprotocol/client")
    : {
        ...(await load("@modelcontextprotocol/sdk/client/index.js")),
        ...(await load("@modelcontextprotocol/sdk/client/streamableHttp.js")),
      };

// An older revision than the client's own is asked for by rewriting its first message.
async function send(address, init) {
  if (revision === "2025-06-18" && init?.body?.includes('"initialize"')) {
    init.body = init.body.replace("2025-11-25", revision);
  }
  return fetch(address, init);
}

const mode = revision === "2026-07-28" ? { pin: revision } : "legacy";
const client = new Client(
  { name: "typescript", version: "1" },
  { capabilities: {}, versionNegotiation: { mode } },
);
const complaints = [];
client.onerror = (error) => complaints.push(String(error));
const transport = new StreamableHTTPClientTransport(new URL(url), {
  fetch: send,
  requestInit: { headers: { authorization: `Bearer ${key}` } },
});
await client.connect(transport);

const { tools } = await client.listTools();
const systems = await client.callTool({
  name: "catalog.listSystems",
  arguments: { limit: 2 },
});
const wrong = await client.callTool({
  name: "catalog.listSystems",
  arguments: { limit: "many" },
});
const unknown = await client
  .callTool({ name: "catalog.listSystem", arguments: {} })
  .catch((error) => ({ code: error.code, message: error.message }));
const { resources } = await client.listResources();
const { prompts } = await client.listPrompts();
const page = await client.readResource({ uri: "assent://docs/proposals" });
const guide = await client.getPrompt({ name: "guide-build" });
const version = transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.();
const server = client.getServerVersion();
await client.close();
const seen = { tools, systems, wrong, unknown, resources, prompts, page, guide };
process.stdout.write(JSON.stringify({ ...seen, version, server, complaints }));
