/** The fields of an agent. Knows nothing of requests. */

import type { IntegrationChoice, Tool } from "../api/types";
import { TextField } from "../forms/form";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Field, FieldGroup } from "../ui/field";
import { Select } from "../ui/select";
import { Tick } from "../ui/tick";
import type { AgentValues } from "./agent-draft";
import { ToolPicker } from "./tool-picker";

const words = texts.agents;
const PROMPT_ROWS = 6;

/** What an agent can be made of. */
export interface Offer {
  integrations: readonly IntegrationChoice[];
  tools: readonly Tool[];
}

interface AgentFieldsProps {
  form: FormState<AgentValues>;
  offer: Offer;
}

/** What one begins with; the slug is chosen once and is not among them. */
export function AgentFields({ form, offer }: AgentFieldsProps) {
  return (
    <>
      <TextField
        form={form}
        name="prompt"
        kind="area"
        rows={PROMPT_ROWS}
        label={words.prompt}
        optional
        hint={words.promptHint}
      />
      <ModelFields form={form} offer={offer} />
      <FieldGroup label={words.tools} error={form.errors.fields.tools}>
        <ToolPicker
          tools={offer.tools}
          chosen={form.values.tools}
          onChange={(tools) => form.set("tools", tools)}
        />
      </FieldGroup>
      <div className="sm:max-w-1/2">
        <TextField form={form} name="stepCap" label={words.stepCap} hint={words.stepCapHint} />
      </div>
      <Tick
        checked={form.values.enabled}
        onChange={(enabled) => form.set("enabled", enabled)}
        className="-mx-3 rounded-lg"
      >
        {words.enabled}
      </Tick>
    </>
  );
}

/** A choice needs a value of its own to be shown as chosen. */
const NOT_SET = "not-set";

const toSelect = (value: string) => value || NOT_SET;
const fromSelect = (value: string) => (value === NOT_SET ? "" : value);

/** One that was switched off or deleted meanwhile stays shown, so that saving changes nothing. */
function integrationChoices(integrations: readonly IntegrationChoice[], chosen: string) {
  const known = integrations.map(({ id, name }) => ({ value: id, label: name }));
  const gone = chosen !== "" && !integrations.some(({ id }) => id === chosen);
  return [
    { value: NOT_SET, label: words.anyIntegration },
    ...known,
    ...(gone ? [{ value: chosen, label: texts.catalog.unknown }] : []),
  ];
}

function modelChoices(models: readonly string[], chosen: string) {
  const all = new Set([...models, ...(chosen === "" ? [] : [chosen])]);
  return [
    { value: NOT_SET, label: words.anyModel },
    ...[...all].map((model) => ({ value: model, label: model })),
  ];
}

function ModelFields({ form, offer: { integrations } }: AgentFieldsProps) {
  const { integrationId, model } = form.values;
  const models = integrations.find(({ id }) => id === integrationId)?.models ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={words.integration} error={form.errors.fields.integrationId}>
        {(control) => (
          <Select
            {...control}
            value={toSelect(integrationId)}
            choices={integrationChoices(integrations, integrationId)}
            onChange={(value) => {
              form.set("integrationId", fromSelect(value));
              form.set("model", "");
            }}
          />
        )}
      </Field>
      <Field label={words.model} error={form.errors.fields.model}>
        {(control) => (
          <Select
            {...control}
            value={toSelect(integrationId === "" ? "" : model)}
            disabled={integrationId === ""}
            choices={modelChoices(models, model)}
            onChange={(value) => form.set("model", fromSelect(value))}
          />
        )}
      </Field>
    </div>
  );
}
