/** The schemas of the chosen kinds, each loaded once. */

import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "./draft";
import { schemaQuery } from "./requests";

export function useSchemas(kinds: readonly string[], onLoaded: (schemas: Schemas) => void): void {
  const wanted = [...new Set(kinds)].sort();
  const loaded = useQueries({
    queries: wanted.map((kind) => schemaQuery(kind)),
    combine: (results) => results.map(({ data }) => data),
  });
  const known = loaded.filter((schema) => schema !== undefined);
  const names = known.map(({ kind, version }) => `${kind}@${version}`).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which schemas there are.
  useEffect(() => {
    onLoaded(Object.fromEntries(known.map((schema) => [schema.kind, schema])));
  }, [names, onLoaded]);
}
