/** The form of an incident. Knows nothing of requests. */

import type { Incident, IncidentDraft, IncidentSeverity, Named, System } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage } from "../../forms/form";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm, type Versioned } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { SaveFooter, WorkspaceField } from "../catalog/fields";
import { choicesOf } from "../catalog/use-directory";
import { MomentField, NotifyField, SubjectFields, type SubjectValues } from "../timeline/fields";
import { toIso, toLocal } from "../timeline/moments";
import { SEVERITY_CHOICES } from "./badges";
import { INCIDENTS } from "./requests";

const words = texts.incidents;

export interface IncidentValues extends SubjectValues {
  severity: IncidentSeverity;
  /** As the browser's control has it: local, to the minute. */
  startedAt: string;
  notify: boolean;
}

interface PlacedValues extends IncidentValues {
  workspaceId: string;
}

const validate = ({ title, startedAt }: IncidentValues) =>
  invalidOf({ title: needed(title), startedAt: needed(startedAt) });

interface NewIncidentFormProps {
  placement: { options: Named[]; initial: string };
  systems: readonly System[];
  onCancel: () => void;
  onSubmit: (draft: IncidentDraft) => Promise<void>;
}

export function NewIncidentForm({ placement, systems, onCancel, onSubmit }: NewIncidentFormProps) {
  const form = useForm<PlacedValues>({
    initial: {
      workspaceId: placement.initial,
      title: "",
      description: "",
      severity: "major",
      systemIds: [],
      startedAt: toLocal(new Date().toISOString()),
      notify: false,
    },
    validate,
    submit: ({ startedAt, title, ...values }) =>
      onSubmit({ ...values, title: title.trim(), startedAt: toIso(startedAt) }),
  });
  const here = systems.filter(({ workspaceId }) => workspaceId === form.values.workspaceId);
  return (
    <Form form={form} label={words.new}>
      <DialogBody>
        <FormMessage form={form} />
        <WorkspaceField form={form} options={placement.options} />
        <IncidentFields form={form} systems={here} />
        <NotifyField form={form} requests={INCIDENTS} workspaceId={form.values.workspaceId} />
      </DialogBody>
      <SaveFooter action={words.openAction} busy={form.busy} onCancel={onCancel} />
    </Form>
  );
}

interface EditIncidentFormProps {
  incident: Incident;
  loaded: Versioned<IncidentValues>;
  systems: readonly System[];
  reload: () => Promise<Versioned<IncidentValues>>;
  onCancel: () => void;
  onSubmit: (values: IncidentValues, version: number) => Promise<void>;
}

export function EditIncidentForm(props: EditIncidentFormProps) {
  const { form, state, theirs, loadNewest } = useVersionedForm<IncidentValues>({
    loaded: props.loaded,
    validate,
    reload: props.reload,
    save: (values, version) => props.onSubmit({ ...values, title: values.title.trim() }, version),
  });
  return (
    <Form form={form} label={texts.actions.edit}>
      <DialogBody>
        <ChangedNotice state={state} onLoad={loadNewest} />
        <FormMessage form={form} />
        <IncidentFields form={form} systems={props.systems} theirs={theirs} />
        <NotifyField form={form} requests={INCIDENTS} workspaceId={props.incident.workspaceId} />
      </DialogBody>
      <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={props.onCancel} />
    </Form>
  );
}

interface IncidentFieldsProps {
  form: FormState<IncidentValues>;
  systems: readonly System[];
  theirs?: Partial<IncidentValues>;
}

function IncidentFields({ form, systems, theirs = {} }: IncidentFieldsProps) {
  return (
    <>
      <SubjectFields form={form} systems={choicesOf(systems)} theirs={theirs} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={words.severity} error={form.errors.fields.severity}>
          {(control) => (
            <Select
              {...control}
              value={form.values.severity}
              choices={SEVERITY_CHOICES}
              onChange={(severity) => form.set("severity", severity)}
            />
          )}
        </Field>
        <MomentField form={form} name="startedAt" label={words.started} />
      </div>
    </>
  );
}
