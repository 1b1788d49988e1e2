/** The fields of an integration. Knows nothing of requests. */

import type { ReactNode } from "react";
import { TextField } from "../forms/form";
import type { FormState } from "../forms/use-form";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Fold } from "../ui/fold";
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
      <Part title={words.parts.server}>
        <TextField form={form} name="name" label={words.name} placeholder={words.namePlaceholder} />
        <KindField form={form} />
        <TextField
          form={form}
          name="baseUrl"
          label={words.baseUrl}
          hint={words.baseUrlHints[form.values.provider]}
          placeholder={addressFor(form.values.provider, "")}
        />
        <TextField
          form={form}
          name="key"
          kind="password"
          label={words.key}
          optional
          autoComplete="new-password"
          hint={hasKey ? words.keyKeepHint : words.keyHint}
        />
      </Part>
      <Part title={words.parts.models}>
        <TextField form={form} name="defaultModel" label={words.defaultModel} />
        <TextField
          form={form}
          name="allowedModels"
          kind="area"
          rows={2}
          label={words.allowedModels}
          optional
          hint={words.allowedModelsHint}
        />
      </Part>
      <Uses form={form} />
      <Limits form={form} />
      <PriceFields form={form} />
    </>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-[0.8125rem] font-semibold">{title}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

type Flag = "enabled" | "provided" | "classifier" | "images" | "thinking";

/** Whether a model thinks is asked where its API can be told. */
function Uses({ form }: FieldsProps) {
  const flags: Flag[] = ["enabled", "provided", "classifier", "images"];
  if (form.values.provider !== "openai") flags.push("thinking");
  return (
    <fieldset className="min-w-0">
      <legend className="text-[0.8125rem] font-semibold">{words.parts.use}</legend>
      {flags.map((flag) => (
        <Tick
          key={flag}
          checked={form.values[flag]}
          onChange={(on) => form.set(flag, on)}
          className="-mx-3 rounded-lg"
        >
          {words[flag]}
        </Tick>
      ))}
    </fieldset>
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

function Limits({ form }: FieldsProps) {
  const { contextWindow, cap, family } = form.values;
  const { errors } = form;
  const wrong = Boolean(errors.fields.contextWindow ?? errors.fields.cap);
  const set = contextWindow !== "" || cap !== "" || family !== "generic";
  return (
    <Fold title={words.advanced} says={words.advancedNone} open={set || wrong}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
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
    </Fold>
  );
}
