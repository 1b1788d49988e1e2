/** Checks the log: at once where that is one short request, on demand where it takes longer. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AUDIT, sealQuery, verifyStretch } from "../api/audit";
import { clock } from "../api/client";
import { type Chain, chainOf, verifyAll } from "./verification";

const VERIFICATION = [...AUDIT, "verification"] as const;
/** A log of this many entries is checked in one request. */
const SHORT = 2_000;

interface ChainState {
  /** `null` until it is known how far the log is sealed. */
  chain: Chain | null;
  verify: () => void;
  stop: () => void;
}

export function useVerification(): ChainState {
  const client = useQueryClient();
  const [through, setThrough] = useState(0);
  const seal = useQuery(sealQuery);
  const last = seal.data?.lastHead?.position ?? null;
  const check = useQuery({
    queryKey: VERIFICATION,
    queryFn: ({ signal }) => {
      setThrough(0);
      return verifyAll({
        read: (after) => verifyStretch(after, signal),
        now: () => new Date(clock.now()),
        onProgress: setThrough,
      });
    },
    enabled: last !== null && last <= SHORT,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    chain: chainOf({
      seal: seal.data,
      through: check.isFetching ? through : null,
      found: check.data,
      error: check.error ?? (seal.data ? null : seal.error),
    }),
    verify: () => {
      void client.invalidateQueries({ queryKey: sealQuery.queryKey });
      void check.refetch();
    },
    stop: () => void client.cancelQueries({ queryKey: VERIFICATION }),
  };
}
