// A chat server on Node: the AI SDK's own way from a provider to a browser.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import * as sdk from 'ai';

const provider = createOpenAICompatible({
  name: 'fake',
  baseURL: process.env.PROVIDER_URL,
  apiKey: 'k',
  includeUsage: true,
});

function respond(result) {
  if (result.toUIMessageStreamResponse) return result.toUIMessageStreamResponse();
  const stream = sdk.toUIMessageStream({ stream: result.stream });
  return sdk.createUIMessageStreamResponse({ stream });
}

createServer(async (request, response) => {
  for await (const _ of request);
  const answer = respond(sdk.streamText({ model: provider('fake'), prompt: 'Hello' }));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  Readable.fromWeb(answer.body).pipe(response);
}).listen(Number(process.env.PORT), '127.0.0.1');
