/** Scripts of checks: what they can use, and what becomes of one when it is tried. */

import { queryOptions } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import type { ScriptContextName } from "../../api/types";
import type { SchemaField } from "./config-schema";

const CONTEXTS: Record<string, ScriptContextName> = {
  script: "healthcheck-script",
  shell: "healthcheck-shell",
};

/** The context that scripts of a strategy run in; nothing for one that runs none. */
export function contextOf(kind: string): ScriptContextName | null {
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

export const contextQuery = (context: ScriptContextName) =>
  queryOptions({
    queryKey: ["healthcheck", "context", context],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/p/healthcheck/scripts/context", {
          params: { query: { context } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface Trial {
  context: ScriptContextName;
  timeoutMs: number;
  reach: string[];
}

/** `config` is that of the strategy: the script itself, and what it is given. */
export async function testScript(trial: Trial, config: Record<string, unknown>) {
  const body = { ...config, ...trial } as Trial & { source: string };
  return take(await api.POST("/api/p/healthcheck/scripts/test", { body }));
}
