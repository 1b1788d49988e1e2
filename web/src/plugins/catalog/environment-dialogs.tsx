/** Creating an environment, and editing one. */

import type { Environment, EnvironmentDraft, Named } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { useVersionedForm } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { DescribedFields, SaveFooter, WorkspaceField } from "./fields";
import { addEnvironment, changeEnvironment, readEnvironment } from "./requests";

const validate = ({ name }: EnvironmentDraft) => invalidOf({ name: needed(name) });

interface NewEnvironmentProps {
  placement: { options: Named[]; initial: string };
  onClose: () => void;
}

export function NewEnvironment({ placement, onClose }: NewEnvironmentProps) {
  const add = useAct({
    run: addEnvironment,
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.added(name),
  });
  const form = useForm<EnvironmentDraft & { workspaceId: string }>({
    initial: { workspaceId: placement.initial, name: "", description: "" },
    validate,
    submit: async (draft) => {
      await add({ ...draft, name: draft.name.trim() });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.environments.new}>
      <Form form={form} label={texts.catalog.environments.new}>
        <DialogBody>
          <FormMessage form={form} />
          <WorkspaceField form={form} options={placement.options} />
          <DescribedFields form={form} />
        </DialogBody>
        <SaveFooter action={texts.actions.create} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function versionedOf({ name, description, version }: Environment) {
  return { values: { name, description }, version };
}

interface EditEnvironmentProps {
  environment: Environment;
  onClose: () => void;
}

export function EditEnvironment({ environment, onClose }: EditEnvironmentProps) {
  const save = useAct({
    run: (draft: EnvironmentDraft, version: number) =>
      changeEnvironment(environment.id, draft, version),
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.saved(name),
  });
  const { form, state, theirs, loadNewest } = useVersionedForm<EnvironmentDraft>({
    loaded: versionedOf(environment),
    validate,
    reload: async () => versionedOf(await readEnvironment(environment.id)),
    save: async (draft, version) => {
      await save({ ...draft, name: draft.name.trim() }, version);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.environments.editTitle(environment.name)}>
      <Form form={form} label={texts.actions.edit}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <DescribedFields form={form} theirs={theirs} />
        </DialogBody>
        <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
