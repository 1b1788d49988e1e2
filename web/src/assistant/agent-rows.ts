/** Agents as a table shows them. Pure. */

import type { Agent, AgentChoice, IntegrationChoice } from "../api/types";
import { texts } from "../texts";

const words = texts.agents;
const BUILT_IN_STEPS = "16";

export interface AgentRow {
  id: string;
  slug: string;
  name: string;
  isDefault: boolean;
  model: string;
  tools: string;
  steps: string;
  /** Nothing for the built-in one, which cannot be changed. */
  own: Agent | null;
}

function describeModel(
  { integrationId, model }: Pick<Agent, "integrationId" | "model">,
  integrations: readonly IntegrationChoice[],
): string {
  const found = integrations.find(({ id }) => id === integrationId);
  return found === undefined ? words.asChosen : `${found.name}: ${model ?? found.defaultModel}`;
}

function rowOf(
  agent: Agent,
  integrations: readonly IntegrationChoice[],
): Omit<AgentRow, "isDefault"> {
  return {
    id: agent.id,
    slug: agent.slug,
    name: agent.name,
    model: describeModel(agent, integrations),
    tools: agent.tools === null ? words.allTools : words.toolCount(agent.tools.length),
    steps: String(agent.stepCap),
    own: agent,
  };
}

/** What can be chosen and is nobody's own is built in. */
function builtInRow({ slug, name }: AgentChoice): Omit<AgentRow, "isDefault"> {
  return {
    id: slug,
    slug,
    name,
    model: words.asChosen,
    tools: words.allTools,
    steps: BUILT_IN_STEPS,
    own: null,
  };
}

export function buildRows(
  agents: readonly Agent[],
  choices: readonly AgentChoice[],
  integrations: readonly IntegrationChoice[],
): AgentRow[] {
  const own = new Set(agents.map(({ slug }) => slug));
  const byDefault = choices.find(({ isDefault }) => isDefault)?.slug;
  const rows = [
    ...choices.filter(({ slug }) => !own.has(slug)).map(builtInRow),
    ...agents.map((agent) => rowOf(agent, integrations)),
  ];
  return rows.map((row) => ({ ...row, isDefault: row.slug === byDefault }));
}
