/** Where proposals are: on the pages, or alone on the page of one decision. */

import { createContext, use } from "react";

export const PROPOSALS_PATH = "/proposals";

export function proposalPath(id: string): string {
  return `${PROPOSALS_PATH}/${encodeURIComponent(id)}`;
}

export function decidePath(id: string): string {
  return `/decide/${encodeURIComponent(id)}`;
}

type PathTo = (id: string) => string;

/** One card leads to another in the same surroundings. */
export const CardPathContext = createContext<PathTo>(proposalPath);

export function useCardPath(): PathTo {
  return use(CardPathContext);
}
