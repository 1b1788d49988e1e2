/** One proposal as it stands now, until it is over. */

import { useQuery } from "@tanstack/react-query";
import { proposalQuery } from "../api/proposals";
import type { ProposalState } from "../api/types";
import { useSafetyNet } from "../live/live";

/** In these it goes on. */
export const OPEN: ReadonlySet<ProposalState> = new Set([
  "proposed",
  "applying",
  "outcome_unknown",
]);

export function useProposal(id: string) {
  const net = useSafetyNet();
  return useQuery({
    ...proposalQuery(id),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && OPEN.has(data.state) ? net : false,
  });
}
