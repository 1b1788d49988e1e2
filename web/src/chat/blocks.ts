/** What a message is shown as: texts, folds of steps between them, cards. Pure. */

import type { ChatPart, PlanData, ProposalData, QuestionData, ReceiptData } from "./message";
import type { Step, ToolPart } from "./steps";

type SourcePart = Extract<ChatPart, { type: "source-url" | "source-document" }>;

export type Block =
  | { kind: "text"; key: string; text: string }
  | { kind: "steps"; key: string; steps: Step[] }
  | { kind: "proposal"; key: string; data: ProposalData }
  | { kind: "question"; key: string; partId: string | null; data: QuestionData }
  | { kind: "receipt"; key: string; data: ReceiptData }
  | { kind: "plan"; key: string; data: PlanData }
  | { kind: "replies"; key: string; replies: string[] }
  | { kind: "sources"; key: string; sources: SourcePart[] };

/** What these do is the part that they leave: the call itself says nothing more. */
const SHOWING: ReadonlySet<string> = new Set(["ai.showPlan", "ai.suggestReplies"]);

function onlyShows({ toolName, state }: ToolPart): boolean {
  return SHOWING.has(toolName) && state !== "output-error";
}

function blockOf(part: ChatPart, key: string): Block | null {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? null : { kind: "text", key, text: part.text };
    case "reasoning":
      return part.text.trim() === "" ? null : { kind: "steps", key, steps: [part] };
    case "dynamic-tool":
      return onlyShows(part) ? null : { kind: "steps", key, steps: [part] };
    case "data-proposal":
    case "data-applied":
      return { kind: "proposal", key: part.data.proposalId, data: part.data };
    case "data-receipt":
      return { kind: "receipt", key, data: part.data };
    case "data-question":
      return { kind: "question", key, partId: part.id ?? null, data: part.data };
    case "data-plan":
      return { kind: "plan", key, data: part.data };
    case "data-quick-replies":
      return part.data.replies.length === 0
        ? null
        : { kind: "replies", key, replies: part.data.replies };
    case "source-url":
    case "source-document":
      return { kind: "sources", key, sources: [part] };
    default:
      return null;
  }
}

function unnamed(named: readonly SourcePart[], sources: SourcePart[]): SourcePart[] {
  return sources.filter(({ sourceId }) => named.every((one) => one.sourceId !== sourceId));
}

/** Neighbours of the same kind become one. A card that comes again replaces nothing: it is live. */
function append(blocks: Block[], block: Block): void {
  const last = blocks.at(-1);
  if (block.kind === "steps" && last?.kind === "steps") last.steps.push(...block.steps);
  else if (block.kind === "sources" && last?.kind === "sources")
    last.sources.push(...unnamed(last.sources, block.sources));
  else if (!blocks.some((other) => other.kind === "proposal" && other.key === block.key))
    blocks.push(block);
}

export function buildBlocks(parts: readonly ChatPart[]): Block[] {
  const blocks: Block[] = [];
  parts.forEach((part, index) => {
    const block = blockOf(part, `part-${index}`);
    if (block !== null) append(blocks, block);
  });
  return blocks;
}
