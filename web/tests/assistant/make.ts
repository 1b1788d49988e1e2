/** Integrations, agents and tools as the server would send them. */

import type { Agent, Integration, IntegrationChoice, Tool } from "../../src/api/types";

export function makeIntegration(fields: Partial<Integration> = {}): Integration {
  return {
    id: "cloud",
    name: "Cloud",
    provider: "openai",
    baseUrl: "https://models.example.com/v1",
    hasKey: true,
    defaultModel: "large",
    allowedModels: ["small"],
    family: "generic",
    contextWindow: null,
    cap: null,
    enabled: true,
    classifier: true,
    thinking: false,
    images: true,
    prices: [],
    provided: false,
    version: 3,
    ...fields,
  };
}

export function makeAgent(fields: Partial<Agent> = {}): Agent {
  return {
    id: "agent-1",
    slug: "teller",
    name: "Teller",
    prompt: "Speak like a bank.",
    integrationId: null,
    model: null,
    tools: null,
    stepCap: 16,
    enabled: true,
    version: 2,
    ...fields,
  };
}

export const CLOUD: IntegrationChoice = {
  provided: false,
  id: "cloud",
  name: "Cloud",
  defaultModel: "large",
  models: ["large", "small"],
};

export function makeTool(name: string, title: string, effect = "read"): Tool {
  return {
    name,
    title,
    description: `${title}, as a model reads it.`,
    effect,
    egress: false,
    inputSchema: {},
    rules: [],
    phase: "discovery",
  };
}
