/** Parts of messages in every state, as a stream would leave them. Nothing here exists anywhere. */

import type { AnswerValue, ChatPart, PlanData, ProgressData, Question } from "../chat/message";
import type { Step } from "../chat/steps";

const LISTED = {
  type: "dynamic-tool",
  toolName: "catalog.listSystems",
  title: "List systems",
} as const;

export const FOLDS: Record<string, { steps: Step[]; working: boolean }> = {
  "steps, folded": {
    working: false,
    steps: [
      {
        type: "reasoning",
        text: "The person wants to know what runs.",
        providerMetadata: { assent: { durationMs: 4_200 } },
      },
      {
        ...LISTED,
        toolCallId: "list",
        state: "output-available",
        input: { q: "check" },
        output: { items: [{ name: "checkout" }] },
      },
    ],
  },
  "a step that works": {
    working: true,
    steps: [{ ...LISTED, toolCallId: "works", state: "input-available", input: {} }],
  },
  "a step that failed": {
    working: false,
    steps: [
      {
        ...LISTED,
        toolCallId: "failed",
        state: "output-error",
        input: { limit: 0 },
        errorText: "limit: at least 1",
      },
    ],
  },
  "a view of its own": {
    working: false,
    steps: [
      {
        type: "dynamic-tool",
        toolName: "dependency.list",
        title: "List dependencies",
        toolCallId: "own",
        state: "output-available",
        input: {},
        output: {
          items: [
            { id: "1", systemId: "checkout", dependsOnId: "orders", strength: "hard" },
            { id: "2", systemId: "search", dependsOnId: "postgres", strength: "soft" },
          ],
        },
      },
    ],
  },
};

export const OUTPUTS: Record<string, unknown> = {
  "output, table": {
    items: [
      { name: "checkout", groups: ["Storefront"], version: 3 },
      { name: "postgres", groups: [], version: 1 },
    ],
    nextCursor: "b2",
  },
  "output, tree": {
    checks: { http: { status: 200, headers: { server: "nginx" } }, tls: { days: 41 } },
    regions: ["eu-1", "eu-2"],
  },
  "output, text": "3 of 4 instances answered.",
  "output, nothing": null,
};

export const PROGRESS: Record<string, ProgressData> = {
  "progress, of so many": { done: 12, total: 40, text: "Reading the logs of eu-2" },
  "progress, unbounded": { done: 12, text: "Reading" },
};

const STEPS: PlanData["steps"] = [
  { text: "Create the group Payments", state: "done" },
  { text: "Add billing to it", state: "active" },
  { text: "Rename Storefront to Shop", state: "pending" },
  { text: "Tell the team", state: "skipped" },
  { text: "Close the old group", state: "failed" },
];

export const PLANS: Record<string, { data: PlanData; passed: boolean }> = {
  plan: { data: { title: "Set up payments", steps: STEPS }, passed: false },
  "plan, passed": { data: { title: "", steps: STEPS.slice(0, 3) }, passed: true },
};

const QUESTIONS: Question[] = [
  { key: "where", text: "Which workspace?", kind: "choice", options: ["Demo", "Production"] },
  { key: "why", text: "What for?", kind: "text" },
];

interface Asked {
  questions: Question[];
  answer: AnswerValue | null;
  passed: boolean;
  blocked: boolean;
}

export const ASKED: Record<string, Asked> = {
  question: { questions: QUESTIONS, answer: null, passed: false, blocked: false },
  "question, several": {
    questions: [
      { key: "days", text: "On which days?", kind: "choices", options: ["Mon", "Tue", "Wed"] },
    ],
    answer: null,
    passed: false,
    blocked: false,
  },
  "question, answered": {
    questions: QUESTIONS,
    answer: { where: "Demo", why: "Invoices" },
    passed: true,
    blocked: false,
  },
  "question, passed": { questions: QUESTIONS, answer: null, passed: true, blocked: false },
};

export const REPLIES = ["Which systems do we have?", "Add a system called billing", "Stop here"];

export const SOURCES: Extract<ChatPart, { type: "source-url" | "source-document" }>[] = [
  {
    type: "source-url",
    sourceId: "web",
    url: "https://status.example.com/history",
    title: "Status history",
  },
  { type: "source-document", sourceId: "doc", mediaType: "text/markdown", title: "Runbook" },
];
