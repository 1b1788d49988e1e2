/** Changing the password, or setting a first one. */

import { TextField } from "../forms/form";
import { FormCard } from "../forms/form-card";
import { useForm } from "../forms/use-form";
import { checkPassword, checkRepeated, invalidOf } from "../forms/validate";
import { texts } from "../texts";

interface PasswordFormProps {
  hasPassword: boolean;
  onSubmit: (currentPassword: string | null, newPassword: string) => Promise<void>;
}

const EMPTY = { currentPassword: "", newPassword: "", repeated: "" };

export function PasswordForm({ hasPassword, onSubmit }: PasswordFormProps) {
  const form = useForm({
    initial: EMPTY,
    validate: ({ currentPassword, newPassword, repeated }) =>
      invalidOf({
        currentPassword: hasPassword && currentPassword === "" ? texts.forms.required : undefined,
        newPassword: checkPassword(newPassword),
        repeated: checkRepeated(newPassword, repeated),
      }),
    submit: async ({ currentPassword, newPassword }) => {
      await onSubmit(hasPassword ? currentPassword : null, newPassword);
      form.replace(EMPTY);
    },
  });
  return (
    <FormCard
      form={form}
      label={texts.settings.password}
      action={hasPassword ? texts.settings.changePassword : texts.settings.setPassword}
    >
      {hasPassword && (
        <TextField
          form={form}
          name="currentPassword"
          label={texts.settings.currentPassword}
          kind="password"
          autoComplete="current-password"
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          form={form}
          name="newPassword"
          label={texts.settings.newPassword}
          kind="password"
          autoComplete="new-password"
        />
        <TextField
          form={form}
          name="repeated"
          label={texts.settings.repeatPassword}
          kind="password"
          autoComplete="new-password"
        />
      </div>
    </FormCard>
  );
}
