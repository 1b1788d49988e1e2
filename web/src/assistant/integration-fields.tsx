/** The fields of an integration. Knows nothing of requests. */

import { ChevronRight } from "lucide-react";
import { TextField } from "../forms/form";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import { Tick } from "../ui/tick";
import {
  addressFor,
  type Family,
  guessImages,
  type IntegrationValues,
  KINDS,
  PROVIDERS,
  type Provider,
  type ProviderKind,
  periodChoices,
} from "./integration-draft";
import { PriceFields } from "./price-fields";

const words = texts.integrations;
const FAMILIES = Object.keys(words.families) as Family[];

interface FieldsProps {
  form: FormState<IntegrationValues>;
}

interface IntegrationFieldsProps extends FieldsProps {
  hasKey: boolean;
}

export function IntegrationFields({ form, hasKey }: IntegrationFieldsProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="name" label={words.name} placeholder={words.namePlaceholder} />
        <TextField form={form} name="defaultModel" label={words.defaultModel} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <KindField form={form} />
        <TextField
          form={form}
          name="baseUrl"
          label={words.baseUrl}
          hint={words.baseUrlHints[form.values.provider]}
          placeholder={addressFor(form.values.provider, "")}
        />
      </div>
      <TextField
        form={form}
        name="key"
        kind="password"
        label={words.key}
        optional
        autoComplete="new-password"
        hint={hasKey ? words.keyKeepHint : words.keyHint}
      />
      <TextField
        form={form}
        name="allowedModels"
        kind="area"
        label={words.allowedModels}
        optional
        hint={words.allowedModelsHint}
      />
      <Advanced form={form} />
      <PriceFields form={form} />
      <Tick
        checked={form.values.enabled}
        onChange={(enabled) => form.set("enabled", enabled)}
        className="-mx-3 rounded-lg"
      >
        {words.enabled}
      </Tick>
      <Tick
        checked={form.values.classifier}
        onChange={(classifier) => form.set("classifier", classifier)}
        className="-mx-3 rounded-lg"
      >
        {words.classifier}
      </Tick>
      <Tick
        checked={form.values.images}
        onChange={(images) => form.set("images", images)}
        className="-mx-3 rounded-lg"
      >
        {words.images}
      </Tick>
      {form.values.provider !== "openai" && (
        <Tick
          checked={form.values.thinking}
          onChange={(thinking) => form.set("thinking", thinking)}
          className="-mx-3 rounded-lg"
        >
          {words.thinking}
        </Tick>
      )}
      <Tick
        checked={form.values.provided}
        onChange={(provided) => form.set("provided", provided)}
        className="-mx-3 -mt-3 rounded-lg"
      >
        {words.provided}
      </Tick>
    </>
  );
}

function KindField({ form }: FieldsProps) {
  const { provider, baseUrl, family } = form.values;
  function choose(kind: ProviderKind) {
    form.set("provider", kind);
    form.set("baseUrl", addressFor(kind, baseUrl));
    form.set("images", guessImages(kind, family));
  }
  return (
    <Field label={words.provider} hint={words.providerHint} error={form.errors.fields.provider}>
      {(control) => (
        <Select
          {...control}
          value={provider}
          choices={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          onChange={choose}
        />
      )}
    </Field>
  );
}

/** Fills in what is known of a provider; a name that was typed stays. */
export function ProviderChoice({ form }: FieldsProps) {
  function choose({ name, kind, baseUrl, family }: Provider) {
    const own = PROVIDERS.every((provider) => provider.name !== form.values.name);
    if (!own || form.values.name === "") form.set("name", name);
    form.set("provider", kind);
    form.set("baseUrl", baseUrl);
    form.set("images", guessImages(kind, family));
    form.set("family", family);
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-[0.8125rem] text-muted">{words.providers}</span>
      {PROVIDERS.map((provider) => (
        <Button
          key={provider.name}
          size="small"
          aria-pressed={form.values.baseUrl === provider.baseUrl}
          onClick={() => choose(provider)}
          className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-on-accent-soft"
        >
          {provider.name}
        </Button>
      ))}
    </div>
  );
}

/** Open from the start when something in it is set, or wrong. */
function Advanced({ form }: FieldsProps) {
  const { contextWindow, cap, family } = form.values;
  const { errors } = form;
  const wrong = Boolean(errors.fields.contextWindow ?? errors.fields.cap);
  const set = contextWindow !== "" || cap !== "" || family !== "generic";
  return (
    <details open={set || wrong || undefined} className="group">
      <summary className="-ml-1 inline-flex list-none items-center gap-1 rounded-md pr-2 pl-1 text-[0.8125rem] font-medium text-muted hover:text-ink pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="transition-transform duration-150 group-open:rotate-90"
        />
        {words.advanced}
      </summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Field label={words.family} hint={words.familyHint} error={errors.fields.family}>
          {(control) => (
            <Select
              {...control}
              value={family}
              choices={FAMILIES.map((value) => ({ value, label: words.families[value] }))}
              onChange={(value) => form.set("family", value)}
            />
          )}
        </Field>
        <TextField
          form={form}
          name="contextWindow"
          label={words.contextWindow}
          optional
          hint={words.contextWindowHint}
        />
        <TextField form={form} name="cap" label={words.capTokens} optional hint={words.capHint} />
        <Field label={words.per}>
          {(control) => (
            <Select
              {...control}
              value={form.values.per}
              choices={periodChoices(form.values.per)}
              onChange={(per) => form.set("per", per)}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
