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
};

function describeOutput(part: ToolPart): string {
  const status = isRecord(part.output) ? part.output.status : null;
  const known = typeof status === "string" ? BY_STATUS[status] : undefined;
  if (known !== undefined) return known;
  const read = READING.exec(titleOf(part))?.groups?.what;
  return read === undefined ? titleOf(part) : words.looked(read.toLowerCase());
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

/** Only the first word of the whole is capitalised; the same thing done twice is said once. */
export function describeFold(steps: readonly Step[]): string {
  const labels = [...new Set(steps.map(describeStep))];
  const joined = labels.map((label, index) =>
    index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1),
  );
  return joined.join(", ");
}
