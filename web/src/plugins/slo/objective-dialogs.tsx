/** Setting an objective, and changing one. */

import { useQuery } from "@tanstack/react-query";
import { mayAnywhere } from "../../access/rules";
import type { Objective } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickOne } from "../../ui/picker";
import { Select } from "../../ui/select";
import { SaveFooter } from "../catalog/fields";
import { choicesOf, useSystems } from "../catalog/use-directory";
import { checksQuery } from "../healthcheck/requests";
import { addObjective, changeObjective, OBJECTIVES, readObjective } from "./requests";

const words = texts.slo;

type Change = { name: string; description: string; target: string; windowDays: string };
type About = { kind: "system" | "check"; systemId: string; checkId: string };

function checkNumber(text: string): string | undefined {
  const isNumber = text.trim() !== "" && Number.isFinite(Number(text));
  return isNumber ? undefined : words.needsNumber;
}

function validate({ name, target, windowDays }: Change) {
  return invalidOf({
    name: needed(name),
    target: checkNumber(target),
    windowDays: checkNumber(windowDays),
  });
}

function bodyOf({ name, description, target, windowDays }: Change) {
  return {
    name: name.trim(),
    description,
    target: Number(target),
    windowDays: Number(windowDays),
  };
}

interface NewObjectiveProps {
  onClose: () => void;
}

export function NewObjective({ onClose }: NewObjectiveProps) {
  const add = useAct({
    run: addObjective,
    touches: [OBJECTIVES],
    says: ({ name }) => words.added(name),
  });
  const form = useForm<Change & About>({
    initial: {
      name: "",
      description: "",
      target: "99.9",
      windowDays: "30",
      kind: "system",
      systemId: "",
      checkId: "",
    },
    validate: (draft) => {
      const missing = draft.kind === "system" ? draft.systemId === "" : draft.checkId === "";
      const where = draft.kind === "system" ? "systemId" : "checkId";
      return { ...validate(draft), ...(missing ? { [where]: words.needsAbout } : {}) };
    },
    submit: async (draft) => {
      const about =
        draft.kind === "system" ? { systemId: draft.systemId } : { checkId: draft.checkId };
      await add({ ...bodyOf(draft), ...about });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <AboutFields form={form} />
          <ChangeFields form={form} />
        </DialogBody>
        <SaveFooter action={texts.actions.create} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface AboutFieldsProps {
  form: FormState<About>;
}

function AboutFields({ form }: AboutFieldsProps) {
  const me = useMe();
  const { workspace } = useWorkspace();
  const systems = useSystems(workspace?.id ?? null);
  const { data: checks = [] } = useQuery({
    ...checksQuery(workspace?.id ?? null),
    enabled: mayAnywhere(me, "healthcheck.check.read"),
  });
  const isSystem = form.values.kind === "system";
  const where = isSystem ? "systemId" : "checkId";
  return (
    <>
      <Field label={words.aboutKind}>
        {(control) => (
          <Select
            {...control}
            value={form.values.kind}
            choices={[
              { value: "system", label: words.kinds.system },
              { value: "check", label: words.kinds.check },
            ]}
            onChange={(kind) => form.set("kind", kind)}
          />
        )}
      </Field>
      <Field
        key={where}
        label={isSystem ? words.system : words.check}
        error={form.errors.fields[where]}
      >
        {(control) => (
          <PickOne
            {...control}
            value={form.values[where] || null}
            choices={choicesOf(isSystem ? systems : checks)}
            placeholder={isSystem ? words.findSystem : words.findCheck}
            onChange={(id) => form.set(where, id ?? "")}
          />
        )}
      </Field>
    </>
  );
}

interface ChangeFieldsProps {
  form: FormState<Change>;
}

function ChangeFields({ form }: ChangeFieldsProps) {
  return (
    <>
      <TextField form={form} name="name" label={words.name} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="target" label={words.targetField} hint={words.targetHint} />
        <TextField form={form} name="windowDays" label={words.windowField} />
      </div>
      <TextField form={form} name="description" label={words.description} kind="area" optional />
    </>
  );
}

interface EditObjectiveProps {
  objective: Objective;
  onClose: () => void;
}

function versionedOf({ name, description, target, windowDays, version }: Objective) {
  const values = { name, description, target: String(target), windowDays: String(windowDays) };
  return { values, version };
}

export function EditObjective({ objective, onClose }: EditObjectiveProps) {
  const save = useAct({
    run: (draft: Change, version: number) => changeObjective(objective.id, bodyOf(draft), version),
    touches: [OBJECTIVES],
    says: ({ name }) => words.saved(name),
  });
  const { form, state, loadNewest } = useVersionedForm<Change>({
    loaded: versionedOf(objective),
    validate,
    reload: async () => versionedOf(await readObjective(objective.id)),
    save: async (draft, version) => {
      await save(draft, version);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.editTitle(objective.name)}>
      <Form form={form} label={texts.actions.edit}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <ChangeFields form={form} />
        </DialogBody>
        <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
