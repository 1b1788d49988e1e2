/** Messages and conversations as the server would send them. */

import type { ConversationView, StoredMessage } from "../../src/api/types";
import type { ChatPart } from "../../src/chat/message";
import type { ToolPart } from "../../src/chat/steps";

export const CHAT = "chat-1";

export function makeView(fields: Partial<ConversationView> = {}): ConversationView {
  return {
    id: CHAT,
    kind: "ai",
    title: "Add a system",
    titleSource: "model",
    agent: null,
    integrationId: null,
    model: null,
    mode: "approve",
    workspaceId: null,
    activeWorkspaceId: null,
    createdAt: "2026-11-15T10:00:00Z",
    activeAt: "2026-11-15T10:01:00Z",
    archivedAt: null,
    status: "idle",
    unread: false,
    activeRunId: null,
    pending: [],
    ...fields,
  };
}

export function stored(
  seq: number,
  role: "user" | "assistant",
  parts: unknown[],
  runId: string | null = null,
): StoredMessage {
  return {
    id: `${role}-${seq}`,
    role,
    parts: parts as StoredMessage["parts"],
    metadata: {
      seq,
      createdAt: "2026-11-15T10:00:00Z",
      runId,
      status: null,
      error: null,
      feedback: null,
      versions: 1,
    },
  };
}

export const text = (said: string): ChatPart => ({ type: "text", text: said });

export function toolPart(fields: Record<string, unknown> = {}): ToolPart {
  return {
    type: "dynamic-tool",
    toolName: "catalog.listSystems",
    toolCallId: "call-1",
    title: "List systems",
    state: "output-available",
    input: { limit: 5 },
    output: { items: [{ name: "checkout" }] },
    ...fields,
  } as ToolPart;
}

export function proposalPart(proposalId: string, type: "data-proposal" | "data-applied") {
  const data = {
    proposalId,
    tool: "catalog.createSystem",
    effect: "mutate" as const,
    summary: "Create the system billing",
  };
  return { type, id: proposalId, data };
}
