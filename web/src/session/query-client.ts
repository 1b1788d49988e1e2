/** The cache of what was read. A 401 from anywhere makes the session be checked again. */

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem";
import { ME } from "../api/session";

const TRIES = 2;

function shouldRetry(failures: number, error: unknown): boolean {
  const lasting = error instanceof Problem && error.status >= 400 && error.status < 500;
  return !lasting && failures < TRIES;
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
    defaultOptions: { queries: { retry: shouldRetry, staleTime: 15_000 } },
  });
  return client;
}
