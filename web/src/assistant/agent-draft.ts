/** An agent as it is typed, and as it is sent. Pure. */

import type { Agent, AgentChange, AgentDraft } from "../api/types";
import { invalidOf, needed, slugFrom } from "../forms/validate";
import { checkWhole, parseWhole } from "./whole-number";

export interface AgentValues {
  slug: string;
  name: string;
  prompt: string;
  /** Empty for what the chat or the tenant has. */
  integrationId: string;
  /** Empty for the integration's default. */
  model: string;
  /** Nothing for all that the person may use. */
  tools: string[] | null;
  stepCap: string;
  enabled: boolean;
}

const STEP_CAP = 16;

export const NEW_AGENT: AgentValues = {
  slug: "",
  name: "",
  prompt: "",
  integrationId: "",
  model: "",
  tools: null,
  stepCap: String(STEP_CAP),
  enabled: true,
};

export function valuesOf(agent: Agent): AgentValues {
  const { slug, name, prompt, integrationId, model, tools, stepCap, enabled } = agent;
  return {
    slug,
    name,
    prompt,
    integrationId: integrationId ?? "",
    model: model ?? "",
    tools,
    stepCap: String(stepCap),
    enabled,
  };
}

/** A model belongs to an integration; without one there is none to choose from. */
function modelOf({ integrationId, model }: AgentValues): string | null {
  return integrationId === "" || model === "" ? null : model;
}

export function draftOf(values: AgentValues): AgentDraft {
  const { slug, name, prompt, integrationId, tools, stepCap, enabled } = values;
  return {
    slug: slug.trim() || slugFrom(name),
    name: name.trim(),
    prompt,
    integrationId: integrationId || null,
    model: modelOf(values),
    tools,
    stepCap: parseWhole(stepCap) ?? STEP_CAP,
    enabled,
  };
}

/** Its slug stays what it is. */
export function changeOf(values: AgentValues, version: number): AgentChange {
  const { slug: _, ...change } = draftOf(values);
  return { ...change, expectedVersion: version };
}

export function checkAgent({ name, stepCap }: AgentValues) {
  return invalidOf({ name: needed(name), stepCap: needed(stepCap) ?? checkWhole(stepCap) });
}
