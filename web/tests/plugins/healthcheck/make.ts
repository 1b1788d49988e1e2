/** Checks, schemas and figures for tests. */

import type { CapabilitySchema, Check, CheckRun, RunStats } from "../../../src/api/types";

export function makeCheck(fields: Partial<Check> = {}): Check {
  return {
    id: "check-1",
    workspaceId: "payments",
    name: "web answers",
    description: "Looks at the start page.",
    systemIds: [],
    strategy: {
      kind: "http",
      version: 1,
      config: { url: "http://127.0.0.1:8700/healthz", method: "GET", headers: {} },
    },
    collectors: [],
    assertions: [],
    intervalSeconds: 60,
    timeoutMs: 10_000,
    egress: [],
    reaches: ["http://127.0.0.1:8700"],
    enabled: true,
    status: "up",
    statusSince: "2026-03-01T10:00:00Z",
    reason: "",
    quotes: false,
    lastRunAt: "2026-03-01T12:00:00Z",
    nextRunAt: "2026-03-01T12:01:00Z",
    version: 3,
    createdAt: "2026-03-01T09:00:00Z",
    updatedAt: "2026-03-01T09:00:00Z",
    ...fields,
  };
}

export function makeRun(fields: Partial<CheckRun> = {}): CheckRun {
  return {
    dueAt: "2026-03-01T12:00:00Z",
    startedAt: "2026-03-01T12:00:00Z",
    durationMs: 41,
    status: "up",
    reason: "",
    result: { statusCode: 200 },
    failed: [],
    ...fields,
  };
}

const NO_RUNS = { runs: 0, up: 0, degraded: 0, down: 0, unknown: 0 };

export function makePoint(hour: number, counts: Partial<RunStats["counts"]> = {}) {
  return {
    at: new Date(Date.UTC(2026, 2, 1, hour)).toISOString(),
    counts: { ...NO_RUNS, ...counts },
    availability: null,
    percentiles: { p50: null, p95: null, p99: null },
  };
}

export function makeStats(fields: Partial<RunStats> = {}): RunStats {
  return {
    checkId: "check-1",
    since: "2026-02-28T12:00:00Z",
    until: "2026-03-01T12:00:00Z",
    source: "runs",
    counts: { ...NO_RUNS, runs: 10, up: 9, down: 1 },
    availability: 0.9,
    percentiles: { p50: 40, p95: 90, p99: 240 },
    points: [makePoint(10, { up: 5 }), makePoint(11, { up: 4, down: 1 })],
    ...fields,
  };
}

const NUMBERS = ["equals", "lessThan", "atMost"];
const TEXTS = ["equals", "contains", "matches"];

export const HTTP: CapabilitySchema = {
  kind: "http",
  title: "HTTP request",
  description: "Send a request.",
  strategy: null,
  version: 1,
  configSchema: {
    required: ["url"],
    properties: {
      url: { type: "string", description: "Where the request goes." },
      method: { type: "string", enum: ["GET", "HEAD"], default: "GET" },
      headers: { type: "object", default: {} },
    },
  },
  fields: [
    { name: "statusCode", type: "integer", description: "", operators: NUMBERS },
    { name: "contentType", type: "string", description: "", operators: [...TEXTS, "exists"] },
    { name: "truncated", type: "boolean", description: "", operators: ["equals"] },
  ],
  collectors: ["json"],
  expects: [{ field: "statusCode", operator: "lessThan", value: 400, severity: "down" }],
};

export const JSON_VALUE: CapabilitySchema = {
  kind: "json",
  title: "JSON value",
  description: "Take a value from the body.",
  strategy: "http",
  version: 1,
  configSchema: { required: ["path"], properties: { path: { type: "string" } } },
  fields: [{ name: "value", type: "any", description: "", operators: [...TEXTS, "exists"] }],
  collectors: [],
  expects: [],
};

/** As a plugin of somebody else brings it along. */
export const REDIS: CapabilitySchema = {
  kind: "redis",
  title: "Redis ping",
  description: "Send PING to a server.",
  strategy: null,
  version: 1,
  configSchema: {
    required: ["host", "port"],
    properties: {
      host: { type: "string", title: "Host", description: "Name or address." },
      port: { type: "integer", default: 6379 },
      tls: { type: "boolean", default: false, description: "Whether to encrypt." },
    },
  },
  fields: [{ name: "pong", type: "boolean", description: "", operators: ["equals"] }],
  collectors: [],
  expects: [],
};

export const SCRIPT: CapabilitySchema = {
  kind: "script",
  title: "Python script",
  description: "Run a script.",
  strategy: null,
  version: 1,
  configSchema: {
    required: ["source"],
    properties: {
      source: { type: "string", maxLength: 100_000 },
      env: { type: "object", default: {} },
    },
  },
  fields: [{ name: "value", type: "any", description: "", operators: ["equals"] }],
  collectors: [],
  expects: [],
};

export const ALL = [HTTP, JSON_VALUE, REDIS, SCRIPT];

export const CAPABILITIES = {
  strategies: [HTTP, REDIS, SCRIPT].map(({ kind, title, description }) => ({
    kind,
    title,
    description,
    strategy: null,
  })),
  collectors: [JSON_VALUE].map(({ kind, title, description, strategy }) => ({
    kind,
    title,
    description,
    strategy,
  })),
};
