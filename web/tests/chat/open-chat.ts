/** The `ai` client over our transport, with as many places for streams as a test wants. */

import { Chat } from "@ai-sdk/react";
import { vi } from "vitest";
import type { ChatMessage } from "../../src/chat/message";
import { AssentTransport } from "../../src/chat/transport";
import type { TakePlace } from "../../src/live/places";

const anyPlace: TakePlace = async () => ({
  signal: new AbortController().signal,
  leave: () => undefined,
});

export function openChat(messages: ChatMessage[] = [], takePlace: TakePlace = anyPlace) {
  const onInterrupted = vi.fn();
  const onUnwatched = vi.fn();
  const wait = vi.fn(async (_milliseconds: number) => undefined);
  const chat = new Chat<ChatMessage>({
    id: "chat-1",
    messages,
    transport: new AssentTransport({ onInterrupted, onUnwatched }, { wait, takePlace }),
  });
  return { chat, wait, onInterrupted, onUnwatched };
}
