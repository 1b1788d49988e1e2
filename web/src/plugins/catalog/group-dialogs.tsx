/** Creating a group, and editing one. */

import type { Group, GroupDraft, Named, System } from "../../api/types";
import { ChangedNotice } from "../../forms/changed-notice";
import { Form, FormMessage } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { type FormState, useForm } from "../../forms/use-form";
import { useVersionedForm } from "../../forms/use-versioned-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { PickMany } from "../../ui/picker";
import { DescribedFields, SaveFooter, WorkspaceField } from "./fields";
import { addGroup, changeGroup, readGroup } from "./requests";
import { choicesOf, useSystems } from "./use-directory";

const validate = ({ name }: GroupDraft) => invalidOf({ name: needed(name) });

interface NewGroupProps {
  placement: { options: Named[]; initial: string };
  onClose: () => void;
}

export function NewGroup({ placement, onClose }: NewGroupProps) {
  const systems = useSystems(null);
  const add = useAct({
    run: addGroup,
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.added(name),
  });
  const form = useForm<GroupDraft & { workspaceId: string }>({
    initial: { workspaceId: placement.initial, name: "", description: "", systemIds: [] },
    validate,
    submit: async (draft) => {
      await add({ ...draft, name: draft.name.trim() });
      onClose();
    },
  });
  const here = systems.filter(({ workspaceId }) => workspaceId === form.values.workspaceId);
  return (
    <Dialog open onClose={onClose} title={texts.catalog.groups.new}>
      <Form form={form} label={texts.catalog.groups.new}>
        <DialogBody>
          <FormMessage form={form} />
          <WorkspaceField form={form} options={placement.options} />
          <DescribedFields form={form} />
          <SystemsField form={form} systems={here} />
        </DialogBody>
        <SaveFooter action={texts.actions.create} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function versionedOf({ name, description, systemIds, version }: Group) {
  return { values: { name, description, systemIds }, version };
}

interface EditGroupProps {
  group: Group;
  onClose: () => void;
}

export function EditGroup({ group, onClose }: EditGroupProps) {
  const systems = useSystems(group.workspaceId);
  const save = useAct({
    run: (draft: GroupDraft, version: number) => changeGroup(group.id, draft, version),
    touches: [["catalog"]],
    says: ({ name }) => texts.catalog.saved(name),
  });
  const { form, state, theirs, loadNewest } = useVersionedForm<GroupDraft>({
    loaded: versionedOf(group),
    validate,
    reload: async () => versionedOf(await readGroup(group.id)),
    save: async (draft, version) => {
      await save({ ...draft, name: draft.name.trim() }, version);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={texts.catalog.groups.editTitle(group.name)}>
      <Form form={form} label={texts.actions.edit}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <DescribedFields form={form} theirs={theirs} />
          <SystemsField form={form} systems={systems} />
        </DialogBody>
        <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface SystemsFieldProps {
  form: FormState<{ systemIds: string[] }>;
  systems: readonly System[];
}

function SystemsField({ form, systems }: SystemsFieldProps) {
  return (
    <Field label={texts.catalog.groups.systems} optional error={form.errors.fields.systemIds}>
      {(control) => (
        <PickMany
          {...control}
          values={form.values.systemIds}
          choices={choicesOf(systems)}
          placeholder={texts.catalog.groups.findSystems}
          onChange={(ids) => form.set("systemIds", ids)}
        />
      )}
    </Field>
  );
}
