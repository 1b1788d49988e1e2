/** Fields that catalog entries have in common. */

import type { Named } from "../../api/types";
import { theirsHint } from "../../forms/changed-notice";
import { TextField } from "../../forms/form";
import type { FormState } from "../../forms/use-form";
import { texts } from "../../texts";
import { Button } from "../../ui/button";
import { DialogFooter } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";

interface WorkspaceFieldProps {
  form: FormState<{ workspaceId: string }>;
  options: readonly Named[];
}

/** Not shown when there is nothing to choose. */
export function WorkspaceField({ form, options }: WorkspaceFieldProps) {
  if (options.length < 2) return null;
  return (
    <Field label={texts.catalog.workspace} error={form.errors.fields.workspaceId}>
      {(control) => (
        <Select
          {...control}
          value={form.values.workspaceId}
          choices={options.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(workspaceId) => form.set("workspaceId", workspaceId)}
        />
      )}
    </Field>
  );
}

interface DescribedFieldsProps {
  form: FormState<{ name: string; description: string }>;
  theirs?: { name?: string; description?: string };
}

export function DescribedFields({ form, theirs = {} }: DescribedFieldsProps) {
  return (
    <>
      <TextField
        form={form}
        name="name"
        label={texts.catalog.name}
        hint={theirsHint(theirs.name)}
      />
      <TextField
        form={form}
        name="description"
        label={texts.catalog.description}
        kind="area"
        optional
        hint={theirsHint(theirs.description)}
      />
    </>
  );
}

interface SaveFooterProps {
  action: string;
  busy: boolean;
  onCancel: () => void;
}

export function SaveFooter({ action, busy, onCancel }: SaveFooterProps) {
  return (
    <DialogFooter>
      <Button onClick={onCancel}>{texts.actions.cancel}</Button>
      <Button type="submit" variant="primary" busy={busy}>
        {action}
      </Button>
    </DialogFooter>
  );
}
