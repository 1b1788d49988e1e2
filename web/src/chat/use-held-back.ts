/** While an answer is written, what follows a card waits until the card is there in full height. */

import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { proposalQuery } from "../api/proposals";
import type { Proposal } from "../api/types";
import type { Block } from "./blocks";

type Card = Extract<Block, { kind: "proposal" }>;

/** There, or not to be had now: then there is nothing to wait for. */
function isSettled({ data, error, fetchStatus }: UseQueryResult<Proposal>): boolean {
  return data !== undefined || error !== null || fetchStatus === "paused";
}

export function useHeldBack(blocks: Block[], growing: boolean): Block[] {
  const grew = useRef(growing);
  grew.current ||= growing;
  const cards = blocks.filter((block): block is Card => block.kind === "proposal");
  const settled = useQueries({
    queries: cards.map(({ data }) => ({ ...proposalQuery(data.proposalId), enabled: false })),
    combine: (results) => results.map(isSettled),
  });
  const awaited = cards[settled.indexOf(false)];
  if (!grew.current || awaited === undefined) return blocks;
  return blocks.slice(0, blocks.indexOf(awaited) + 1);
}
