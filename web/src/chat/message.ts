/** Messages as the transcript knows them, and how stored ones meet those on the screen. Pure. */

import type { UIMessage, UIMessagePart, UITools } from "ai";
import type { Effect, Feedback, StoredMessage } from "../api/types";
import { writeAnswer } from "./answers";

/** How the run ended that wrote an answer. */
export type Ending = "completed" | "failed" | "cancelled" | "superseded";

export interface MessageMetadata {
  seq?: number;
  createdAt?: string;
  runId?: string | null;
  status?: Ending | null;
  error?: { code: string; message: string } | null;
  feedback?: Feedback | null;
  /** How often it was said, this time included. */
  versions?: number;
}

export interface ProposalData {
  proposalId: string;
  tool: string;
  effect: Effect;
  summary: string;
}

export type QuestionKind = "choice" | "choices" | "text" | "date" | "number";

export interface Question {
  key: string;
  text: string;
  kind: QuestionKind;
  options?: string[];
}

export type AnswerValue = Record<string, string | number | string[]>;

export interface QuestionData {
  questions: Question[];
  /** Once it is answered, by whichever tab. */
  answer?: AnswerValue | null;
}

/** How a card stood in the chat that this one was branched from. */
export interface ReceiptData {
  summary: string;
  state: string;
}

export type PlanStepState = "pending" | "active" | "done" | "skipped" | "failed";

export interface PlanData {
  title: string;
  steps: { text: string; state: PlanStepState }[];
}

/** What could be said next. */
export interface RepliesData {
  replies: string[];
}

/** How far a tool has come. It is told while the tool works, and is part of no message. */
export interface ProgressData {
  done: number;
  total?: number;
  text?: string;
}

/** What a message was said with. */
export interface SkillData {
  skillId: string;
  name: string;
}

type DataParts = {
  receipt: ReceiptData;
  plan: PlanData;
  "quick-replies": RepliesData;
  progress: ProgressData;
  proposal: ProposalData;
  applied: ProposalData;
  question: QuestionData;
  skill: SkillData;
};

export type ChatMessage = UIMessage<MessageMetadata, DataParts>;
export type ChatPart = UIMessagePart<DataParts, UITools>;

export function fromStored(stored: StoredMessage): ChatMessage {
  return stored as unknown as ChatMessage;
}

export function textOf(message: ChatMessage): string {
  return message.parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

export type FilePart = Extract<ChatPart, { type: "file" }>;

export function filesOf(message: ChatMessage): FilePart[] {
  return message.parts.filter((part) => part.type === "file");
}

export type SkillPart = Extract<ChatPart, { type: "data-skill" }>;

export function skillOf(message: ChatMessage): SkillPart | null {
  return message.parts.find((part) => part.type === "data-skill") ?? null;
}

/** Without the last thing said and all that followed it. */
export function beforeLastSaid(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "user"),
  );
}

function setAnswer(part: ChatPart, partId: string, answer: AnswerValue | null): ChatPart {
  if (part.type !== "data-question" || part.id !== partId) return part;
  return { ...part, data: { ...part.data, answer } };
}

function asks(message: ChatMessage, partId: string): boolean {
  return message.parts.some((part) => part.type === "data-question" && part.id === partId);
}

function withAnswer(
  messages: ChatMessage[],
  partId: string,
  answer: AnswerValue | null,
): ChatMessage[] {
  return messages.map((message) =>
    asks(message, partId)
      ? { ...message, parts: message.parts.map((part) => setAnswer(part, partId, answer)) }
      : message,
  );
}

function questionsOf(messages: readonly ChatMessage[], partId: string): Question[] {
  const parts = messages.flatMap((message) => message.parts);
  const found = parts.find((part) => part.type === "data-question" && part.id === partId);
  return found?.type === "data-question" ? found.data.questions : [];
}

interface GivenAnswer {
  partId: string;
  value: AnswerValue;
  /** The id of the message that says it, until the stored one is read. */
  said: string;
}

/** With the answer on its card, and said by the person. */
export function answerQuestion(
  messages: ChatMessage[],
  { partId, value, said }: GivenAnswer,
): ChatMessage[] {
  const text = writeAnswer(questionsOf(messages, partId), value);
  const message: ChatMessage = { id: said, role: "user", parts: [{ type: "text", text }] };
  return [...withAnswer(messages, partId, value), message];
}

export function withdrawAnswer(
  messages: ChatMessage[],
  { partId, said }: Pick<GivenAnswer, "partId" | "said">,
): ChatMessage[] {
  return withAnswer(messages, partId, null).filter(({ id }) => id !== said);
}

/** It says what the card above it shows already. */
export function repeatsAnswer(before: ChatMessage | undefined, message: ChatMessage): boolean {
  if (message.role !== "user" || before === undefined) return false;
  const said = textOf(message);
  return before.parts.some(
    (part) =>
      part.type === "data-question" &&
      part.data.answer != null &&
      writeAnswer(part.data.questions, part.data.answer) === said,
  );
}

/** The answer that is being written breaks off because something new is said. */
export function withEnding(messages: ChatMessage[], status: Ending): ChatMessage[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return messages;
  return [...messages.slice(0, -1), { ...last, metadata: { ...last.metadata, status } }];
}

const sizeOf = ({ parts }: ChatMessage) => JSON.stringify(parts).length;

/** An answer that is told anew is shown as it was, until what is told has come as far. */
export function keepShown(messages: ChatMessage[], shown: readonly ChatMessage[]): ChatMessage[] {
  const [before, answer] = shown.slice(-2);
  const last = messages.at(-1);
  if (answer?.role !== "assistant" || last === undefined) return messages;
  if (last.id === before?.id) return [...messages, answer];
  if (last.id !== answer.id || sizeOf(last) >= sizeOf(answer)) return messages;
  return [...messages.slice(0, -1), answer];
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function keepOld(known: ReadonlyMap<string, ChatMessage>, fresh: ChatMessage): ChatMessage {
  const old = known.get(fresh.id);
  return old !== undefined && same(old, fresh) ? old : fresh;
}

/** Earlier pages stay, and so does what an active run has said here but not stored yet. */
export function mergeHistory(
  shown: ChatMessage[],
  stored: readonly StoredMessage[],
  activeRunId: string | null,
): ChatMessage[] {
  const known = new Map(shown.map((message) => [message.id, message]));
  const fresh = stored.map((message) => keepOld(known, fromStored(message)));
  const ids = new Set(fresh.map(({ id }) => id));
  const first = fresh[0]?.metadata?.seq ?? Number.POSITIVE_INFINITY;
  const earlier = shown.filter(({ metadata }) => (metadata?.seq ?? first) < first);
  const growing = shown.filter(
    ({ id, role, metadata }) =>
      role === "assistant" &&
      !ids.has(id) &&
      activeRunId !== null &&
      metadata?.runId === activeRunId,
  );
  const merged = [...earlier, ...fresh, ...growing];
  const unchanged =
    merged.length === shown.length && merged.every((message, index) => message === shown[index]);
  return unchanged ? shown : merged;
}
