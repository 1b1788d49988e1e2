/** What the assistant did between its sentences, in the words of people. Pure. */

import { texts } from "../texts";
import type { ChatPart } from "./message";

const words = texts.chat;

export type ToolPart = Extract<ChatPart, { type: "dynamic-tool" }>;
export type ReasoningPart = Extract<ChatPart, { type: "reasoning" }>;
export type Step = ToolPart | ReasoningPart;

const READING = /^(?:list|get|find|search|show|read|look up)\s+(?<what>.+)$/iu;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Live it comes as provider metadata, stored as a field of its own. */
export function thoughtSeconds(part: ReasoningPart): number | null {
  const stored = (part as { durationMs?: unknown }).durationMs;
  const live = part.providerMetadata?.assent?.durationMs;
  const milliseconds = [stored, live].find((value) => typeof value === "number");
  return milliseconds === undefined ? null : Math.round(Number(milliseconds) / 1000);
}

/** A title made from `dependency.list` is only "List": what it lists is in the name before it. */
export function titleOf({ title, toolName }: ToolPart): string {
  if (title === undefined) return toolName;
  const [space = "", deed] = toolName.split(".");
  return deed === title.toLowerCase() ? `${title} ${space}` : title;
}

const BY_STATUS: Record<string, string> = {
  awaiting_operator: words.prepared,
  applied: words.made,
  asked: words.asked,
  answered: words.asked,
};

/** What was looked at, if it is a step that only looked. */
function lookedAt(step: Step): string | null {
  if (step.type === "reasoning" || step.state !== "output-available") return null;
  if (knownOutput(step) !== undefined) return null;
  return READING.exec(titleOf(step))?.groups?.what?.toLowerCase() ?? null;
}

function knownOutput(part: ToolPart): string | undefined {
  const status = isRecord(part.output) ? part.output.status : null;
  return typeof status === "string" ? BY_STATUS[status] : undefined;
}

function describeOutput(part: ToolPart): string {
  const read = lookedAt(part);
  return knownOutput(part) ?? (read === null ? titleOf(part) : words.looked([read]));
}

export function describeStep(step: Step): string {
  if (step.type === "reasoning") {
    const seconds = thoughtSeconds(step);
    return seconds === null ? words.thinking : words.thought(seconds);
  }
  if (step.state === "output-error") return words.failedStep(titleOf(step));
  if (step.state === "output-denied") return words.deniedStep(titleOf(step));
  return step.state === "output-available" ? describeOutput(step) : titleOf(step);
}

export function hasFailed(step: Step): boolean {
  return step.type === "dynamic-tool" && step.state === "output-error";
}

/** All that was looked at is said at once, where the first of it was. */
function labelsOf(steps: readonly Step[]): string[] {
  const reads = [...new Set(steps.map(lookedAt))].filter((read) => read !== null);
  return steps.map((step) => (lookedAt(step) === null ? describeStep(step) : words.looked(reads)));
}

/** Only the first word of the whole is capitalised; the same thing done twice is said once. */
export function describeFold(steps: readonly Step[]): string {
  const joined = [...new Set(labelsOf(steps))].map((label, index) =>
    index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1),
  );
  return joined.join(", ");
}
