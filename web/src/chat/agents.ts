/** Who answers in a chat. Pure. */

import type { AgentChoice } from "../api/types";

/** One that is gone or was switched off is answered for by the default one. */
export function findAgent(
  agents: readonly AgentChoice[],
  slug: string | null,
): AgentChoice | undefined {
  return agents.find((agent) => agent.slug === slug) ?? agents.find(({ isDefault }) => isDefault);
}
