/** Where proposals are. Pure. */

export const PROPOSALS_PATH = "/proposals";

export function proposalPath(id: string): string {
  return `${PROPOSALS_PATH}/${encodeURIComponent(id)}`;
}
