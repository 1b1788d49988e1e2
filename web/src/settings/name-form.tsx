/** The person's name; what only administrators set is shown beside it. */

import type { Me } from "../api/types";
import { TextField } from "../forms/form";
import { FormCard } from "../forms/form-card";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { Badges } from "../ui/badge";
import { Field } from "../ui/field";
import { TextInput } from "../ui/input";

interface NameFormProps {
  me: Me;
  onSubmit: (name: string) => Promise<void>;
}

export function NameForm({ me, onSubmit }: NameFormProps) {
  const form = useForm({
    initial: { name: me.name },
    validate: ({ name }) => invalidOf({ name: needed(name) }),
    submit: ({ name }) => onSubmit(name.trim()),
  });
  return (
    <FormCard form={form} label={texts.settings.you}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="name" label={texts.settings.name} autoComplete="name" />
        <Field label={texts.settings.email} hint={texts.settings.emailHint}>
          {(control) => <TextInput {...control} value={me.email} readOnly className="bg-hover!" />}
        </Field>
      </div>
      {me.teams.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <span className="text-[0.8125rem] font-medium">{texts.settings.teams}</span>
          <Badges names={me.teams.map((team) => team.name)} most={12} wrap />
        </div>
      )}
    </FormCard>
  );
}
