/** Failures of the HTTP contract as one error class. Parsing only; what to show is decided elsewhere. */

export interface Issue {
  path: string;
  message: string;
}

interface ProblemFields {
  status: number;
  code: string;
  detail: string;
  issues: Issue[];
  rule: string | null;
  /** The fresh card that replaces a proposal whose basis has changed. */
  successorId: string | null;
  requestId: string | null;
  retryAfterSeconds: number | null;
}

/** The server was not reached at all. */
export const UNREACHABLE = "unreachable";

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues: Issue[];
  readonly rule: string | null;
  readonly successorId: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(fields: ProblemFields) {
    super(fields.detail);
    this.name = "Problem";
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.issues = fields.issues;
    this.rule = fields.rule;
    this.successorId = fields.successorId;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number.parseInt(header, 10);
  return Number.isNaN(seconds) ? null : Math.max(seconds, 1);
}

export function parseProblem(response: Response, body: unknown): Problem {
  const fields = isRecord(body) ? body : {};
  const issues = Array.isArray(fields.issues) ? fields.issues.filter(isIssue) : [];
  return new Problem({
    status: response.status,
    code: textOf(fields.code) ?? "unknown",
    detail: textOf(fields.detail) ?? textOf(fields.title) ?? `${response.status}`,
    issues,
    rule: textOf(fields.rule),
    successorId: textOf(fields.successorId),
    requestId: textOf(fields.requestId),
    retryAfterSeconds: parseRetryAfter(response.headers.get("retry-after")),
  });
}

/** Whoever asks again gets the same answer. */
export function isLasting(error: unknown): boolean {
  return error instanceof Problem && error.status >= 400 && error.status < 500;
}

export function unreachable(): Problem {
  return new Problem({
    status: 0,
    code: UNREACHABLE,
    detail: "",
    issues: [],
    rule: null,
    successorId: null,
    requestId: null,
    retryAfterSeconds: null,
  });
}
