/** A check as the form holds it: every control's text, and what is sent made of it. Pure. */

import type { Issue } from "../../api/problem";
import type { Assertion, CapabilitySchema, Check, ResultField } from "../../api/types";
import { texts } from "../../texts";
import { fieldsOf, readConfig, type Shown, showConfig } from "./config-schema";

export interface CollectorDraft {
  key: number;
  id: string;
  kind: string;
  config: Record<string, unknown>;
  shown: Shown | null;
}

export interface AssertionDraft {
  key: number;
  field: string;
  operator: string;
  value: string;
  severity: Assertion["severity"];
}

export interface CheckDraft {
  workspaceId: string;
  name: string;
  description: string;
  systemIds: string[];
  kind: string;
  /** As stored; laid out into controls once the schema is known. */
  config: Record<string, unknown>;
  shown: Shown | null;
  collectors: CollectorDraft[];
  assertions: AssertionDraft[];
  intervalSeconds: string;
  timeoutMs: string;
  egress: string;
  enabled: boolean;
}

export const VALUELESS = new Set(["exists", "absent"]);

let keys = 0;
/** Tells rows of a list apart while they are edited. */
export function newKey(): number {
  keys += 1;
  return keys;
}

export function emptyDraft(workspaceId: string): CheckDraft {
  return {
    workspaceId,
    name: "",
    description: "",
    systemIds: [],
    kind: "http",
    config: {},
    shown: null,
    collectors: [],
    assertions: [],
    intervalSeconds: "60",
    timeoutMs: "10000",
    egress: "",
    enabled: true,
  };
}

function showAsserted(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function draftOf(check: Check): CheckDraft {
  return {
    workspaceId: check.workspaceId,
    name: check.name,
    description: check.description,
    systemIds: check.systemIds,
    kind: check.strategy.kind,
    config: check.strategy.config ?? {},
    shown: null,
    collectors: check.collectors.map(({ id, kind, config }) => ({
      key: newKey(),
      id,
      kind,
      config: config ?? {},
      shown: null,
    })),
    assertions: check.assertions.map(({ field, operator, value, severity }) => ({
      key: newKey(),
      field,
      operator,
      value: showAsserted(value),
      severity,
    })),
    intervalSeconds: String(check.intervalSeconds),
    timeoutMs: String(check.timeoutMs),
    egress: check.egress.join("\n"),
    enabled: check.enabled,
  };
}

export type Schemas = Record<string, CapabilitySchema>;

/** The fields that assertions may name: the strategy's, then those of each collector by its id. */
export function resultFields(draft: CheckDraft, schemas: Schemas): ResultField[] {
  const own = schemas[draft.kind]?.fields ?? [];
  const collected = draft.collectors.flatMap(({ id, kind }) =>
    (schemas[kind]?.fields ?? []).map((field) => ({ ...field, name: `${id}.${field.name}` })),
  );
  return [...own, ...collected];
}

/** What was typed, in the type of the field that it is compared with. */
export function readAsserted(text: string, type: string | undefined): unknown {
  if (type === "string") return text;
  const trimmed = text.trim();
  const plain = trimmed !== "" && !Number.isNaN(Number(trimmed));
  if (type !== "boolean" && plain) return Number(trimmed);
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return text;
}

export interface Built {
  body: Record<string, unknown>;
  issues: Issue[];
}

function configOf(
  part: { kind: string; config: Record<string, unknown>; shown: Shown | null },
  schemas: Schemas,
  path: string,
): { config: Record<string, unknown>; issues: Issue[] } {
  const schema = schemas[part.kind];
  if (schema === undefined || part.shown === null) return { config: part.config, issues: [] };
  const { config, unreadable } = readConfig(fieldsOf(schema.configSchema), part.shown);
  const issues = unreadable.map((name) => ({
    path: `${path}.${name}`,
    message: texts.healthcheck.form.unreadable,
  }));
  return { config, issues };
}

/** The body to send, and what of it cannot even be read. */
export function buildBody(draft: CheckDraft, schemas: Schemas): Built {
  const fields = resultFields(draft, schemas);
  const strategy = configOf(draft, schemas, "strategy.config");
  const collectors = draft.collectors.map((one, at) => ({
    one,
    ...configOf(one, schemas, `collectors.${at}.config`),
  }));
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.type;
  return {
    body: {
      workspaceId: draft.workspaceId,
      name: draft.name,
      description: draft.description,
      systemIds: draft.systemIds,
      strategy: { kind: draft.kind, config: strategy.config },
      collectors: collectors.map(({ one, config }) => ({ id: one.id, kind: one.kind, config })),
      assertions: draft.assertions.map(({ field, operator, value, severity }) => ({
        field,
        operator,
        ...(VALUELESS.has(operator) ? {} : { value: readAsserted(value, typeOf(field)) }),
        severity,
      })),
      intervalSeconds: Number(draft.intervalSeconds),
      timeoutMs: Number(draft.timeoutMs),
      egress: draft.egress.split(/\s+/u).filter((origin) => origin !== ""),
      enabled: draft.enabled,
    },
    issues: [...strategy.issues, ...collectors.flatMap(({ issues }) => issues)],
  };
}

/** The controls of a configuration, once its schema is known. */
export function layOut(
  part: { kind: string; config: Record<string, unknown>; shown: Shown | null },
  schemas: Schemas,
): Shown {
  const schema = schemas[part.kind];
  if (part.shown !== null || schema === undefined) return part.shown ?? {};
  return showConfig(fieldsOf(schema.configSchema), part.config);
}

export type Find = (path: string) => string | undefined;

/** The message for a place of the form, or for anything inside of it. */
export function findIssue(issues: readonly Issue[], path: string): string | undefined {
  const normal = (issue: Issue) => issue.path.replace(/^body\./u, "");
  const at = issues.find((issue) => normal(issue) === path);
  return (at ?? issues.find((issue) => normal(issue).startsWith(`${path}.`)))?.message;
}

const PLACES = [
  "name",
  "description",
  "workspaceId",
  "systemIds",
  "intervalSeconds",
  "timeoutMs",
  "egress",
  "strategy.kind",
];

/** Messages that no control shows, for the top of the form. */
export function strayIssues(
  issues: readonly Issue[],
  draft: CheckDraft,
  schemas: Schemas,
): Issue[] {
  const config = fieldsOf(schemas[draft.kind]?.configSchema ?? {});
  const places = [
    ...PLACES,
    ...config.map(({ name }) => `strategy.config.${name}`),
    ...draft.collectors.flatMap(({ kind }, at) => [
      `collectors.${at}.id`,
      `collectors.${at}.kind`,
      ...fieldsOf(schemas[kind]?.configSchema ?? {}).map(
        ({ name }) => `collectors.${at}.config.${name}`,
      ),
    ]),
    ...draft.assertions.flatMap((_, at) =>
      ["field", "operator", "value", "severity"].map((part) => `assertions.${at}.${part}`),
    ),
  ];
  return issues.filter(({ path }) => {
    const plain = path.replace(/^body\./u, "");
    return !places.some((place) => plain === place || plain.startsWith(`${place}.`));
  });
}

/** What was changed here stays; what was not follows the newest. */
export function rebaseDraft(base: CheckDraft, mine: CheckDraft, newest: CheckDraft): CheckDraft {
  const kept = Object.entries(newest).map(([name, value]) => {
    const key = name as keyof CheckDraft;
    return [name, mine[key] === base[key] ? value : mine[key]];
  });
  const rebased = Object.fromEntries(kept) as CheckDraft;
  const ownConfig = mine.shown !== base.shown || mine.kind !== base.kind;
  const { kind, config, shown } = ownConfig ? mine : newest;
  return { ...rebased, kind, config, shown };
}
