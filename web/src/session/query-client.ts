/** The cache of what was read. A 401 from anywhere makes the session be checked again. */

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { isLasting, Problem } from "../api/problem";
import { ME } from "../api/session";

/** Long enough for a database that is back within a second; then whoever waits is told. */
const PAUSES_MS = [500, 1_000];

function shouldRetry(failures: number, error: unknown): boolean {
  return !isLasting(error) && failures < PAUSES_MS.length;
}

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const elsewhere = query.queryKey[0] !== ME[0] && query.queryKey[0] !== "auth";
        if (error instanceof Problem && error.status === 401 && elsewhere) {
          void client.invalidateQueries({ queryKey: ME });
        }
      },
    }),
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: (failures) => PAUSES_MS[failures] ?? 0,
        staleTime: 15_000,
      },
    },
  });
  return client;
}
