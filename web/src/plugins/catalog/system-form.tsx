/** The form of a system. Knows nothing of requests. */

import type { Environment, Group, Named, SystemDraft } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage } from "../../forms/form";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm, type Versioned } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickMany } from "../../ui/picker";
import type { Choice } from "../../ui/select";
import { DescribedFields, SaveFooter, WorkspaceField } from "./fields";
import { choicesOf } from "./use-directory";

const validate = ({ name }: SystemDraft) => invalidOf({ name: needed(name) });

const tidy = <Draft extends SystemDraft>(draft: Draft): Draft => ({
  ...draft,
  name: draft.name.trim(),
});

interface PlacedDraft extends SystemDraft {
  workspaceId: string;
}

interface NewSystemFormProps {
  placement: { options: Named[]; initial: string };
  groups: readonly Group[];
  environments: readonly Environment[];
  onCancel: () => void;
  onSubmit: (draft: PlacedDraft) => Promise<void>;
}

export function NewSystemForm({
  placement,
  groups,
  environments,
  onCancel,
  onSubmit,
}: NewSystemFormProps) {
  const form = useForm<PlacedDraft>({
    initial: {
      workspaceId: placement.initial,
      name: "",
      description: "",
      groupIds: [],
      environmentIds: [],
    },
    validate,
    submit: (draft) => onSubmit(tidy(draft)),
  });
  const here = (entry: { workspaceId: string }) => entry.workspaceId === form.values.workspaceId;
  return (
    <Form form={form} label={texts.catalog.systems.new}>
      <DialogBody>
        <FormMessage form={form} />
        <WorkspaceField form={form} options={placement.options} />
        <DescribedFields form={form} />
        <PlaceFields
          form={form}
          groups={choicesOf(groups.filter(here))}
          environments={choicesOf(environments.filter(here))}
        />
      </DialogBody>
      <SaveFooter action={texts.actions.create} busy={form.busy} onCancel={onCancel} />
    </Form>
  );
}

interface EditSystemFormProps {
  loaded: Versioned<SystemDraft>;
  groups: readonly Choice[];
  environments: readonly Choice[];
  reload: () => Promise<Versioned<SystemDraft>>;
  onCancel: () => void;
  onSubmit: (draft: SystemDraft, version: number) => Promise<void>;
}

export function EditSystemForm({
  loaded,
  groups,
  environments,
  reload,
  onCancel,
  onSubmit,
}: EditSystemFormProps) {
  const { form, state, theirs, loadNewest } = useVersionedForm<SystemDraft>({
    loaded,
    validate,
    reload,
    save: (draft, version) => onSubmit(tidy(draft), version),
  });
  return (
    <Form form={form} label={texts.actions.edit}>
      <DialogBody>
        <ChangedNotice state={state} onLoad={loadNewest} />
        <FormMessage form={form} />
        <DescribedFields form={form} theirs={theirs} />
        <PlaceFields form={form} groups={groups} environments={environments} />
      </DialogBody>
      <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onCancel} />
    </Form>
  );
}

interface PlaceFieldsProps {
  form: FormState<{ groupIds: string[]; environmentIds: string[] }>;
  groups: readonly Choice[];
  environments: readonly Choice[];
}

function PlaceFields({ form, groups, environments }: PlaceFieldsProps) {
  return (
    <>
      <Field
        label={texts.catalog.systems.environments}
        optional
        error={form.errors.fields.environmentIds}
      >
        {(control) => (
          <PickMany
            {...control}
            values={form.values.environmentIds}
            choices={environments}
            placeholder={texts.catalog.systems.findEnvironments}
            onChange={(ids) => form.set("environmentIds", ids)}
          />
        )}
      </Field>
      <Field label={texts.catalog.systems.groups} optional error={form.errors.fields.groupIds}>
        {(control) => (
          <PickMany
            {...control}
            values={form.values.groupIds}
            choices={groups}
            placeholder={texts.catalog.systems.findGroups}
            onChange={(ids) => form.set("groupIds", ids)}
          />
        )}
      </Field>
    </>
  );
}
