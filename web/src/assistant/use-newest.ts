/** The newest version of an entry of a list, for a form whose entry somebody else has changed. */

import { type FetchQueryOptions, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem";
import type { Versioned } from "../forms/use-versioned-form";
import { texts } from "../texts";

interface Entry {
  id: string;
  version: number;
}

function missing(): Problem {
  return new Problem({
    status: 404,
    code: "not_found",
    detail: texts.states.missingBody,
    issues: [],
    rule: null,
    successorId: null,
    requestId: null,
    retryAfterSeconds: null,
  });
}

export function useNewest<Item extends Entry, Values, Key extends QueryKey>(
  query: FetchQueryOptions<Item[], Error, Item[], Key>,
  id: string,
  valuesOf: (item: Item) => Values,
): () => Promise<Versioned<Values>> {
  const client = useQueryClient();
  return async () => {
    const items = await client.fetchQuery({ ...query, staleTime: 0 });
    const found = items.find((item) => item.id === id);
    if (found === undefined) throw missing();
    return { values: valuesOf(found), version: found.version };
  };
}
