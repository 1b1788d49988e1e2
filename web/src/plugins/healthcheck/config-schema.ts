/**
 * The fields of a form, read from a JSON Schema. Pure.
 *
 * Strategies and collectors come from any plugin: what a form shows is all in their schemas. What no
 * control fits is edited as JSON.
 */

export type JsonSchema = Record<string, unknown>;
export type FieldKind =
  | "text"
  | "area"
  | "code"
  | "integer"
  | "number"
  | "flag"
  | "choice"
  | "json";

export interface SchemaField {
  name: string;
  label: string;
  hint: string;
  kind: FieldKind;
  required: boolean;
  /** What holds where nothing is said. */
  fallback: unknown;
  choices: string[];
}

/** Addresses may have two thousand characters and are still one line. */
const LONG_TEXT = 4000;
const CODE = "code";
const SOURCES = new Set(["source", "script", "code"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without references, and without the choice of leaving it empty. */
function follow(part: unknown, root: JsonSchema, depth = 0): JsonSchema {
  if (!isRecord(part) || depth > 8) return {};
  const { $ref: reference, anyOf, ...rest } = part;
  if (typeof reference === "string") {
    const found = reference
      .replace(/^#\//u, "")
      .split("/")
      .reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), root);
    return { ...follow(found, root, depth + 1), ...rest };
  }
  if (Array.isArray(anyOf)) {
    const real = anyOf.filter((one) => !(isRecord(one) && one.type === "null"));
    return real.length === 1 ? { ...follow(real[0], root, depth + 1), ...rest } : rest;
  }
  return rest;
}

function choicesOf(part: JsonSchema): string[] {
  const given = Array.isArray(part.enum) ? part.enum : "const" in part ? [part.const] : [];
  return given.every((one) => typeof one === "string") ? (given as string[]) : [];
}

function kindOf(name: string, part: JsonSchema): FieldKind {
  if (choicesOf(part).length > 0) return "choice";
  if (part.type === "string") {
    const isLong = typeof part.maxLength === "number" && part.maxLength > LONG_TEXT;
    if (part.format === CODE || (isLong && SOURCES.has(name))) return "code";
    return isLong ? "area" : "text";
  }
  const simple: Record<string, FieldKind> = {
    integer: "integer",
    number: "number",
    boolean: "flag",
  };
  return simple[String(part.type)] ?? "json";
}

/** `bodyBytes` reads "Body bytes". */
export function labelOf(name: string): string {
  const words = name
    .replace(/[_-]+/gu, " ")
    .replace(/(?<=[a-z0-9])(?=[A-Z])/gu, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function fieldsOf(schema: JsonSchema): SchemaField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, part]) => {
    const field = follow(part, schema);
    return {
      name,
      label: labelOf(name),
      hint: typeof field.description === "string" ? field.description : "",
      kind: kindOf(name, field),
      required: required.includes(name),
      fallback: field.default,
      choices: choicesOf(field),
    };
  });
}

export type FieldValue = string | boolean;

/** A value as its control has it. */
export function showValue(field: SchemaField, value: unknown): FieldValue {
  const known = value === undefined ? field.fallback : value;
  if (field.kind === "flag") return known === true;
  if (field.kind === "json") return known === undefined ? "" : JSON.stringify(known, null, 2);
  return known === undefined || known === null ? "" : String(known);
}

export class NotReadable extends Error {}

function readNumber(shown: string): number {
  const number = Number(shown);
  if (shown.trim() === "" || Number.isNaN(number)) throw new NotReadable();
  return number;
}

function readJson(shown: string): unknown {
  try {
    return JSON.parse(shown);
  } catch {
    throw new NotReadable();
  }
}

const READERS: Partial<Record<FieldKind, (shown: string) => unknown>> = {
  integer: readNumber,
  number: readNumber,
  json: readJson,
};

/** What a control holds as a value; `undefined` leaves it out. Raises for what cannot be read. */
export function readValue(field: SchemaField, shown: FieldValue): unknown {
  if (typeof shown === "boolean") return shown;
  if (shown.trim() === "" && !field.required) {
    return typeof field.fallback === "string" ? shown : undefined;
  }
  return READERS[field.kind]?.(shown) ?? shown;
}

export type Shown = Record<string, FieldValue>;

export function showConfig(fields: readonly SchemaField[], config: Record<string, unknown>): Shown {
  return Object.fromEntries(
    fields.map((field) => [field.name, showValue(field, config[field.name])]),
  );
}

export interface ReadConfig {
  config: Record<string, unknown>;
  /** Names of fields that cannot be read. */
  unreadable: string[];
}

export function readConfig(fields: readonly SchemaField[], shown: Shown): ReadConfig {
  const config: Record<string, unknown> = {};
  const unreadable: string[] = [];
  for (const field of fields) {
    try {
      const value = readValue(field, shown[field.name] ?? showValue(field, undefined));
      if (value !== undefined) config[field.name] = value;
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      unreadable.push(field.name);
    }
  }
  return { config, unreadable };
}
