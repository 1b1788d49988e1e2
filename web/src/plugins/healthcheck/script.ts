/** Scripts of checks: what they can use, and what becomes of one when it is tried. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import type { SchemaField } from "./config-schema";

export interface TestResult {
  result?: unknown;
  stdout: string;
  stderr: string;
  exitCode: number | null;
  durationMs: number;
  timedOut: boolean;
  error: string | null;
  sandboxDowngraded: boolean;
}

export type ScriptContext = Record<string, unknown>;

const CONTEXTS: Record<string, string> = {
  script: "healthcheck-script",
  shell: "healthcheck-shell",
};

/** The context that scripts of a strategy run in; nothing for one that runs none. */
export function contextOf(kind: string): string | null {
  return CONTEXTS[kind] ?? null;
}

/** The field that holds the script. */
export function sourceField(fields: readonly SchemaField[]): SchemaField | undefined {
  return (
    fields.find(({ name }) => name === "source") ??
    fields.find(({ name }) => name === "script") ??
    fields.find(({ kind }) => kind === "code")
  );
}

export const contextQuery = (context: string) =>
  queryOptions({
    queryKey: ["healthcheck", "context", context],
    queryFn: async ({ signal }) =>
      take(
        await api.GET(
          "/api/p/healthcheck/scripts/context" as never,
          { params: { query: { context } }, signal } as never,
        ),
      ) as ScriptContext,
    staleTime: Number.POSITIVE_INFINITY,
  });

export async function testScript(body: Record<string, unknown>): Promise<TestResult> {
  return take(
    await api.POST("/api/p/healthcheck/scripts/test" as never, { body } as never),
  ) as TestResult;
}
