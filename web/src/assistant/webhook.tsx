/** Where a tenant is told of its turns, and of what. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RequireRule } from "../access/require-rule";
import type { Webhook, WebhookChange } from "../api/types";
import { setWebhook, WEBHOOK, webhookQuery } from "../api/usage";
import { ChangedNotice } from "../forms/changed-notice";
import { TextField } from "../forms/form";
import { FormCard } from "../forms/form-card";
import { useAct } from "../forms/use-act";
import type { FormState } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { invalidOf, needed } from "../forms/validate";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Lead } from "../ui/page";
import { Tick } from "../ui/tick";

const words = texts.webhook;
const SHORTEST = 16;

export function WebhookPage() {
  return (
    <RequireRule rule="ai.webhook.read">
      <Shown />
    </RequireRule>
  );
}

function Shown() {
  const query = useQuery(webhookQuery);
  return (
    <>
      <Lead body={words.about} />
      <Loaded query={query}>
        {(webhook) => <WebhookForm key={webhook.version} webhook={webhook} />}
      </Loaded>
    </>
  );
}

interface WebhookValues {
  url: string;
  secret: string;
  usage: boolean;
  export: boolean;
  enabled: boolean;
}

function valuesOf({ url, events, enabled }: Webhook): WebhookValues {
  return {
    url,
    secret: "",
    usage: events.includes("chat.message"),
    export: events.includes("conversation.export"),
    enabled,
  };
}

function changeOf(values: WebhookValues, version: number): WebhookChange {
  const { url, secret, enabled } = values;
  return {
    url: url.trim(),
    events: [
      ...(values.usage ? (["chat.message"] as const) : []),
      ...(values.export ? (["conversation.export"] as const) : []),
    ],
    enabled,
    ...(secret === "" ? {} : { secret }),
    ...(version > 0 ? { expectedVersion: version } : {}),
  };
}

function check({ url, secret }: WebhookValues) {
  const short = secret !== "" && secret.length < SHORTEST;
  return invalidOf({ url: needed(url), secret: short ? words.secretShort : undefined });
}

interface WebhookFormProps {
  webhook: Webhook;
}

function WebhookForm({ webhook }: WebhookFormProps) {
  const mayManage = useMayEverywhere("ai.webhook.manage");
  const client = useQueryClient();
  const save = useAct({
    run: (values: WebhookValues, version: number) => setWebhook(changeOf(values, version)),
    touches: [WEBHOOK],
    says: () => words.saved,
  });
  const { form, state, loadNewest } = useVersionedForm<WebhookValues>({
    loaded: { values: valuesOf(webhook), version: webhook.version },
    validate: check,
    reload: async () => {
      const newest = await client.fetchQuery({ ...webhookQuery, staleTime: 0 });
      return { values: valuesOf(newest), version: newest.version };
    },
    save,
  });
  return (
    <FormCard form={form} label={words.form} mayChange={mayManage}>
      <ChangedNotice state={state} onLoad={loadNewest} />
      <TextField form={form} name="url" label={words.url} />
      <TextField
        form={form}
        name="secret"
        kind="password"
        label={words.secret}
        autoComplete="new-password"
        hint={webhook.hasSecret ? words.secretKeepHint : words.secretHint}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1 text-[0.8125rem] font-medium">{words.what}</legend>
        <FlagTick form={form} name="usage" />
        <FlagTick form={form} name="export" />
      </fieldset>
      <FlagTick form={form} name="enabled" />
    </FormCard>
  );
}

interface FlagTickProps {
  form: FormState<WebhookValues>;
  name: "usage" | "export" | "enabled";
}

function FlagTick({ form, name }: FlagTickProps) {
  return (
    <Tick
      checked={form.values[name]}
      onChange={(on) => form.set(name, on)}
      className="-mx-3 rounded-lg"
    >
      {words[name]}
    </Tick>
  );
}
