/** A new dependency, or a change of one. */

import type { Dependency, Strength, System } from "../../api/types";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { invalidOf } from "../../forms/validate";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickOne } from "../../ui/picker";
import { Select } from "../../ui/select";
import { SaveFooter } from "./fields";
import { addDependency, changeDependency, DEPENDENCIES } from "./requests";
import { choicesOf, nameOf } from "./use-directory";

const words = texts.catalog.dependencies;

const STRENGTHS: readonly Strength[] = ["hard", "soft"];

interface DependencyDraft {
  dependsOnId: string;
  strength: Strength;
  note: string;
}

interface DependencyDialogProps {
  system: System;
  systems: System[];
  dependency: Dependency | null;
  /** What the system depends on already. */
  taken: string[];
  onClose: () => void;
}

export function DependencyDialog(props: DependencyDialogProps) {
  const { system, systems, dependency, onClose } = props;
  const title =
    dependency === null
      ? words.addTitle(system.name)
      : words.editTitle(nameOf(dependency.dependsOnId, systems));
  return (
    <Dialog open onClose={onClose} title={title}>
      <DependencyForm {...props} />
    </Dialog>
  );
}

function useSave(system: System, dependency: Dependency | null) {
  return useAct({
    run: ({ dependsOnId, strength, note }: DependencyDraft) =>
      dependency === null
        ? addDependency({ systemId: system.id, dependsOnId, strength, note })
        : changeDependency(dependency.id, { strength, note }, dependency.version),
    touches: [DEPENDENCIES],
    says: () => (dependency === null ? words.added : words.saved),
  });
}

function DependencyForm({ system, systems, dependency, taken, onClose }: DependencyDialogProps) {
  const save = useSave(system, dependency);
  const form = useForm<DependencyDraft>({
    initial: {
      dependsOnId: dependency?.dependsOnId ?? "",
      strength: dependency?.strength ?? "hard",
      note: dependency?.note ?? "",
    },
    validate: ({ dependsOnId }) =>
      invalidOf({ dependsOnId: dependsOnId === "" ? texts.forms.required : undefined }),
    submit: async (draft) => {
      await save(draft);
      onClose();
    },
  });
  const options = systems.filter(({ id }) => id !== system.id && !taken.includes(id));
  return (
    <Form form={form} label={words.heading}>
      <DialogBody>
        <FormMessage form={form} />
        {dependency === null && (
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
        )}
        <Field label={words.strength} error={form.errors.fields.strength}>
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
        <TextField form={form} name="note" label={words.note} kind="area" optional />
      </DialogBody>
      <SaveFooter
        action={dependency === null ? texts.actions.add : texts.actions.save}
        busy={form.busy}
        onCancel={onClose}
      />
    </Form>
  );
}
