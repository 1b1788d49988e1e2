/** Fields that forms about incidents and maintenance have in common. */

import { useQuery } from "@tanstack/react-query";
import { theirsHint } from "../../forms/changed-notice";
import { TextField } from "../../forms/form";
import type { FormState } from "../../forms/use-form";
import { texts } from "../../texts";
import { Field } from "../../ui/field";
import { TextInput } from "../../ui/input";
import { PickMany } from "../../ui/picker";
import type { Choice } from "../../ui/select";
import { Switch } from "../../ui/switch";
import { addressQuery, type TimelineRequests } from "./requests";

const words = texts.timeline;

export interface SubjectValues {
  title: string;
  description: string;
  systemIds: string[];
}

interface SubjectFieldsProps {
  form: FormState<SubjectValues>;
  systems: readonly Choice[];
  theirs?: { title?: string; description?: string };
}

export function SubjectFields({ form, systems, theirs = {} }: SubjectFieldsProps) {
  return (
    <>
      <TextField form={form} name="title" label={words.title} hint={theirsHint(theirs.title)} />
      <TextField
        form={form}
        name="description"
        label={texts.catalog.description}
        kind="area"
        optional
        hint={theirsHint(theirs.description)}
      />
      <Field label={words.systems} optional error={form.errors.fields.systemIds}>
        {(control) => (
          <PickMany
            {...control}
            values={form.values.systemIds}
            choices={systems}
            placeholder={words.findSystems}
            onChange={(ids) => form.set("systemIds", ids)}
          />
        )}
      </Field>
    </>
  );
}

interface MomentFieldProps<Name extends string> {
  form: FormState<Record<Name, string>>;
  name: Name;
  label: string;
}

export function MomentField<Name extends string>({ form, name, label }: MomentFieldProps<Name>) {
  return (
    <Field label={label} error={form.errors.fields[name]}>
      {(control) => (
        <TextInput
          {...control}
          type="datetime-local"
          name={name}
          value={form.values[name]}
          onChange={(event) => form.set(name, event.target.value)}
        />
      )}
    </Field>
  );
}

interface NotifyFieldProps {
  form: FormState<{ notify: boolean }>;
  requests: TimelineRequests;
  workspaceId: string;
}

/** Shown only where there is somebody to notify. */
export function NotifyField({ form, requests, workspaceId }: NotifyFieldProps) {
  const { data: url } = useQuery({
    ...addressQuery(requests, workspaceId),
    enabled: workspaceId !== "",
  });
  const error = form.errors.fields.notify;
  if (!url && !error) return null;
  return (
    <div className="rounded-lg border border-line px-3 py-2.5">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-[0.8125rem] font-medium">{words.notify}</p>
          {url && (
            <p className="truncate text-[0.8125rem] text-muted">
              {words.notifies(new URL(url).host)}
            </p>
          )}
        </div>
        <Switch
          label={words.notify}
          checked={form.values.notify}
          onChange={(notify) => form.set("notify", notify)}
        />
      </div>
      {error && <p className="mt-1.5 text-[0.8125rem] text-danger">{error}</p>}
    </div>
  );
}
