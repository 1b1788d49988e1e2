/** The models that a conversation may use, as choices. Pure. */

import type { Conversation, Integration } from "../api/types";
import type { Choice } from "../ui/select";

export interface ModelChoice extends Choice {
  integrationId: string;
  model: string;
}

const keyOf = (integrationId: string, model: string) => `${integrationId} ${model}`;

function choicesOf({ id, name, defaultModel, models }: Integration): ModelChoice[] {
  const all = [...new Set([defaultModel, ...models])];
  return all.map((model) => ({
    value: keyOf(id, model),
    label: model,
    hint: name,
    integrationId: id,
    model,
  }));
}

export function buildModelChoices(integrations: readonly Integration[]): ModelChoice[] {
  return integrations.flatMap(choicesOf);
}

/** Nothing chosen means the first integration with its default. */
export function chosenModel(
  { integrationId, model }: Pick<Conversation, "integrationId" | "model">,
  integrations: readonly Integration[],
): string | null {
  const used = integrations.find(({ id }) => id === integrationId) ?? integrations[0];
  if (used === undefined) return null;
  const named = used.id === integrationId ? model : null;
  return keyOf(used.id, named ?? used.defaultModel);
}
