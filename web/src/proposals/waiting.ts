/** How many proposals wait for a decision that the signed-in person may take. */

import { useQuery } from "@tanstack/react-query";
import { clock } from "../api/client";
import { waitingQuery } from "../api/proposals";
import type { List, ProposalLine } from "../api/types";
import { useSafetyNet } from "../live/live";

/** As shown on a badge: nothing for none, `99+` when nobody would count on. Pure. */
export function countWaiting(list: List<ProposalLine>, now: number): string | null {
  const mine = list.items.filter(
    ({ mayDecide, expiresAt }) => mayDecide && Date.parse(expiresAt) > now,
  ).length;
  if (mine === 0) return null;
  return mine > 99 || list.nextCursor ? `${Math.min(mine, 99)}+` : String(mine);
}

export function useWaiting(): string | null {
  const { data } = useQuery({ ...waitingQuery, refetchInterval: useSafetyNet() });
  return data === undefined ? null : countWaiting(data, clock.now());
}
