/** A new dependency, and a change of one. */

import type { Dependency, Strength, System } from "../../api/types";
import { ChangedNotice, theirsHint } from "../../forms/changed-notice";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm } from "../../forms/use-versioned-form";
import { invalidOf } from "../../forms/validate";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickOne } from "../../ui/picker";
import { Select } from "../../ui/select";
import { SaveFooter } from "./fields";
import {
  addDependency,
  changeDependency,
  DEPENDENCIES,
  type DependencyDraft,
  readDependency,
} from "./requests";
import { choicesOf } from "./use-directory";

const words = texts.catalog.dependencies;

const STRENGTHS: readonly Strength[] = ["hard", "soft"];

interface NewDependencyProps {
  system: System;
  /** What it can depend on: not itself, and nothing twice. */
  options: readonly System[];
  onClose: () => void;
}

export function NewDependency({ system, options, onClose }: NewDependencyProps) {
  const add = useAct({ run: addDependency, touches: [DEPENDENCIES], says: () => words.added });
  const form = useForm<DependencyDraft & { dependsOnId: string }>({
    initial: { dependsOnId: "", strength: "hard", note: "" },
    validate: ({ dependsOnId }) =>
      invalidOf({ dependsOnId: dependsOnId === "" ? texts.forms.required : undefined }),
    submit: async (draft) => {
      await add({ ...draft, systemId: system.id });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.addTitle(system.name)}>
      <Form form={form} label={words.add}>
        <DialogBody>
          <FormMessage form={form} />
          <Field label={words.system} error={form.errors.fields.dependsOnId}>
            {(control) => (
              <PickOne
                {...control}
                value={form.values.dependsOnId}
                choices={choicesOf(options)}
                placeholder={words.findSystem}
                onChange={(id) => form.set("dependsOnId", id ?? "")}
              />
            )}
          </Field>
          <StrengthFields form={form} />
        </DialogBody>
        <SaveFooter action={texts.actions.add} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function versionedOf({ strength, note, version }: Dependency) {
  return { values: { strength, note }, version };
}

interface EditDependencyProps {
  dependency: Dependency;
  /** The name of what it depends on. */
  name: string;
  onClose: () => void;
}

export function EditDependency({ dependency, name, onClose }: EditDependencyProps) {
  const save = useAct({
    run: (draft: DependencyDraft, version: number) =>
      changeDependency(dependency.id, draft, version),
    touches: [DEPENDENCIES],
    says: () => words.saved,
  });
  const { form, state, theirs, loadNewest } = useVersionedForm<DependencyDraft>({
    loaded: versionedOf(dependency),
    validate: () => ({}),
    reload: async () => versionedOf(await readDependency(dependency.id)),
    save: async (draft, version) => {
      await save(draft, version);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.editTitle(name)}>
      <Form form={form} label={texts.actions.edit}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <StrengthFields form={form} theirs={theirs} />
        </DialogBody>
        <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface StrengthFieldsProps {
  form: FormState<DependencyDraft>;
  theirs?: Partial<DependencyDraft>;
}

function StrengthFields({ form, theirs = {} }: StrengthFieldsProps) {
  return (
    <>
      <Field
        label={words.strength}
        hint={theirsHint(theirs.strength && words.strengths[theirs.strength])}
        error={form.errors.fields.strength}
      >
        {(control) => (
          <Select
            {...control}
            value={form.values.strength}
            choices={STRENGTHS.map((value) => ({
              value,
              label: words.strengths[value],
              hint: words.strengthHints[value],
            }))}
            onChange={(strength) => form.set("strength", strength)}
          />
        )}
      </Field>
      <TextField
        form={form}
        name="note"
        label={words.note}
        kind="area"
        optional
        hint={theirsHint(theirs.note)}
      />
    </>
  );
}
