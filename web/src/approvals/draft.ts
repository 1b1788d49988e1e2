/** An approval rule as it is typed, and as it is sent. Pure. */

import type { ApprovalDraft, ApprovalRule } from "../api/types";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";

const words = texts.approvals;
const MOST_NEEDED = 20;

export type Test = keyof typeof words.tests;

export interface ApprovalValues {
  title: string;
  note: string;
  tool: string;
  /** Empty for both. */
  effect: "" | "mutate" | "destructive";
  whom: keyof typeof words.whoms;
  roleIds: string[];
  userIds: string[];
  needed: string;
  notProposer: boolean;
  conditional: boolean;
  path: string;
  test: Test;
  /** One on each line. */
  values: string;
}

export const NEW_APPROVAL: ApprovalValues = {
  title: "",
  note: "",
  tool: "",
  effect: "",
  whom: "named",
  roleIds: [],
  userIds: [],
  needed: "1",
  notProposer: true,
  conditional: false,
  path: "",
  test: "equals",
  values: "",
};

/** What reads as JSON is that; anything else is text. */
function parseValue(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function parseValues(text: string): unknown[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(parseValue);
}

/** Text that would be read as something else is put in quotes. */
function showValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return typeof parseValue(value) === "string" && !value.startsWith('"')
    ? value
    : JSON.stringify(value);
}

export function valuesOf(rule: ApprovalRule): ApprovalValues {
  const { condition } = rule;
  return {
    title: rule.title,
    note: rule.note ?? "",
    tool: rule.tool,
    effect: rule.effect ?? "",
    whom: rule.anyone ? "anyone" : "named",
    roleIds: rule.roleIds ?? [],
    userIds: rule.userIds ?? [],
    needed: String(rule.needed),
    notProposer: rule.notProposer ?? false,
    conditional: (condition ?? null) !== null,
    path: condition?.path ?? "",
    test: condition?.test ?? "equals",
    values: (condition?.values ?? []).map(showValue).join("\n"),
  };
}

export function draftOf(values: ApprovalValues): ApprovalDraft {
  const named = values.whom === "named";
  const { path, test } = values;
  return {
    title: values.title.trim(),
    note: values.note,
    tool: values.tool,
    effect: values.effect || null,
    anyone: !named,
    roleIds: named ? values.roleIds : [],
    userIds: named ? values.userIds : [],
    needed: Number(values.needed),
    notProposer: values.notProposer,
    condition: values.conditional
      ? { path: path.trim(), test, values: test === "present" ? [] : parseValues(values.values) }
      : null,
  };
}

function checkNeeded(text: string): string | undefined {
  const number = Number(text);
  const fits = Number.isInteger(number) && number >= 1 && number <= MOST_NEEDED;
  return fits ? undefined : words.outOfRange;
}

function checkValues({ conditional, test, values }: ApprovalValues): string | undefined {
  if (!conditional || test === "present") return undefined;
  const { length } = parseValues(values);
  if (length === 0) return words.giveValues;
  return test === "equals" && length > 1 ? words.oneValue : undefined;
}

export function checkApproval(values: ApprovalValues) {
  const { whom, roleIds, userIds } = values;
  const nobody = whom === "named" && roleIds.length + userIds.length === 0;
  return invalidOf({
    title: needed(values.title),
    tool: needed(values.tool),
    roleIds: nobody ? words.nameSomebody : undefined,
    needed: checkNeeded(values.needed),
    path: values.conditional ? needed(values.path) : undefined,
    values: checkValues(values),
  });
}
