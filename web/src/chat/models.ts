/** The models that a conversation may use, as choices. Pure. */

import type { AgentChoice, IntegrationChoice } from "../api/types";
import type { Choice } from "../ui/select";

export interface ModelChoice extends Choice {
  integrationId: string;
  model: string;
}

/** What a conversation or its agent asks for. */
export type Wish = Pick<AgentChoice, "integrationId" | "model">;

const keyOf = (integrationId: string, model: string) => `${integrationId} ${model}`;

function modelsOf({ defaultModel, models }: IntegrationChoice): string[] {
  return [...new Set([defaultModel, ...models])];
}

/** The default first, then the allowed ones, each once. */
export function buildModelChoices(integrations: readonly IntegrationChoice[]): ModelChoice[] {
  return integrations.flatMap((integration) =>
    modelsOf(integration).map((model) => ({
      value: keyOf(integration.id, model),
      label: model,
      hint: integration.name,
      integrationId: integration.id,
      model,
    })),
  );
}

function keyIn(integration: IntegrationChoice, model: string | null): string {
  const allowed = model !== null && modelsOf(integration).includes(model);
  return keyOf(integration.id, allowed ? model : integration.defaultModel);
}

/** Whether what answers is provided, so that it takes of the credits. */
export function isProvided(
  wishes: readonly Wish[],
  integrations: readonly IntegrationChoice[],
): boolean {
  const chosen = chosenModel(wishes, integrations);
  return integrations.some(
    (one) => one.provided && modelsOf(one).some((model) => keyOf(one.id, model) === chosen),
  );
}

/** Which one answers: as the server decides it, each turn anew. Nothing means the demo model. */
export function chosenModel(
  wishes: readonly Wish[],
  integrations: readonly IntegrationChoice[],
): string | null {
  for (const { integrationId, model } of wishes) {
    const found = integrations.find(({ id }) => id === integrationId);
    if (found !== undefined) return keyIn(found, model);
  }
  const [first] = integrations;
  const open = wishes.find(({ integrationId }) => integrationId === null);
  return first === undefined ? null : keyIn(first, open?.model ?? null);
}
