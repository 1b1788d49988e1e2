/** A workspace: its name. */

import { addWorkspace, changeWorkspace, WORKSPACES } from "../api/people";
import { ME } from "../api/session";
import type { Workspace } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { SlugField } from "../forms/slug-field";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed, slugFrom } from "../forms/validate";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";

interface WorkspaceDialogProps {
  workspace: Workspace | null;
  onClose: () => void;
}

export function WorkspaceDialog({ workspace, onClose }: WorkspaceDialogProps) {
  const title =
    workspace === null ? texts.workspaces.new : texts.workspaces.editTitle(workspace.name);
  const save = useAct({
    run: (draft: { name: string; slug: string }) =>
      workspace === null
        ? addWorkspace(draft)
        : changeWorkspace(workspace.id, { name: draft.name }),
    touches: [WORKSPACES, ME],
    says: ({ name }) =>
      workspace === null ? texts.workspaces.created(name) : texts.workspaces.saved(name),
  });
  const form = useForm({
    initial: { name: workspace?.name ?? "", slug: workspace?.slug ?? "" },
    validate: ({ name }) => invalidOf({ name: needed(name) }),
    submit: async ({ name, slug }) => {
      await save({ name: name.trim(), slug: slug || slugFrom(name) });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title} width="narrow">
      <Form form={form} label={title}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField form={form} name="name" label={texts.workspaces.name} />
          {workspace === null && <SlugField form={form} />}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{texts.actions.cancel}</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            {workspace === null ? texts.actions.create : texts.workspaces.rename}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
