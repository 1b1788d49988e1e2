/** The form of a maintenance window. Knows nothing of requests. */

import type { MaintenanceWindow, Named, System, WindowDraft } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage } from "../../forms/form";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm, type Versioned } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { DialogBody } from "../../ui/dialog";
import { SaveFooter, WorkspaceField } from "../catalog/fields";
import { choicesOf } from "../catalog/use-directory";
import { MomentField, NotifyField, SubjectFields, type SubjectValues } from "../timeline/fields";
import { toIso } from "../timeline/moments";
import { WINDOWS } from "./requests";

const words = texts.maintenance;

export interface WindowValues extends SubjectValues {
  /** As the browser's control has them: local, to the minute. */
  startsAt: string;
  endsAt: string;
  notify: boolean;
}

interface PlacedValues extends WindowValues {
  workspaceId: string;
}

const validate = ({ title, startsAt, endsAt }: WindowValues) =>
  invalidOf({
    title: needed(title),
    startsAt: needed(startsAt),
    endsAt: needed(endsAt) ?? (endsAt > startsAt ? undefined : words.endsFirst),
  });

interface NewWindowFormProps {
  placement: { options: Named[]; initial: string };
  systems: readonly System[];
  onCancel: () => void;
  onSubmit: (draft: WindowDraft) => Promise<void>;
}

export function NewWindowForm({ placement, systems, onCancel, onSubmit }: NewWindowFormProps) {
  const form = useForm<PlacedValues>({
    initial: {
      workspaceId: placement.initial,
      title: "",
      description: "",
      systemIds: [],
      startsAt: "",
      endsAt: "",
      notify: false,
    },
    validate,
    submit: ({ startsAt, endsAt, title, ...values }) =>
      onSubmit({
        ...values,
        title: title.trim(),
        startsAt: toIso(startsAt) ?? "",
        endsAt: toIso(endsAt) ?? "",
      }),
  });
  const here = systems.filter(({ workspaceId }) => workspaceId === form.values.workspaceId);
  return (
    <Form form={form} label={words.new}>
      <DialogBody>
        <FormMessage form={form} />
        <WorkspaceField form={form} options={placement.options} />
        <WindowFields form={form} systems={here} />
        <NotifyField form={form} requests={WINDOWS} workspaceId={form.values.workspaceId} />
      </DialogBody>
      <SaveFooter action={words.schedule} busy={form.busy} onCancel={onCancel} />
    </Form>
  );
}

interface EditWindowFormProps {
  window: MaintenanceWindow;
  loaded: Versioned<WindowValues>;
  systems: readonly System[];
  reload: () => Promise<Versioned<WindowValues>>;
  onCancel: () => void;
  onSubmit: (values: WindowValues, version: number) => Promise<void>;
}

export function EditWindowForm(props: EditWindowFormProps) {
  const { form, state, theirs, loadNewest } = useVersionedForm<WindowValues>({
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
        <WindowFields form={form} systems={props.systems} theirs={theirs} />
        <NotifyField form={form} requests={WINDOWS} workspaceId={props.window.workspaceId} />
      </DialogBody>
      <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={props.onCancel} />
    </Form>
  );
}

interface WindowFieldsProps {
  form: FormState<WindowValues>;
  systems: readonly System[];
  theirs?: Partial<WindowValues>;
}

function WindowFields({ form, systems, theirs = {} }: WindowFieldsProps) {
  return (
    <>
      <SubjectFields form={form} systems={choicesOf(systems)} theirs={theirs} />
      <div className="grid gap-4 sm:grid-cols-2">
        <MomentField form={form} name="startsAt" label={words.starts} />
        <MomentField form={form} name="endsAt" label={words.ends} />
      </div>
    </>
  );
}
