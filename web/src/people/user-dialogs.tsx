/** Adding a person, and editing one. */

import { addUser, changeUser, USERS } from "../api/people";
import type { Membership, PersonLink, User } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { FieldGroup } from "../ui/field";
import { MembershipEditor } from "./membership-editor";

interface UserDraft {
  email: string;
  name: string;
  memberships: Membership[];
}

interface AddUserProps {
  onClose: () => void;
  onAdded: (added: PersonLink & { user: User }) => void;
}

export function AddUser({ onClose, onAdded }: AddUserProps) {
  const add = useAct({
    run: addUser,
    touches: [USERS],
    says: ({ user }) => texts.people.added(user.name),
  });
  return (
    <Dialog open onClose={onClose} title={texts.people.addPerson}>
      <UserForm
        initial={{ email: "", name: "", memberships: [] }}
        action={texts.people.addPerson}
        onCancel={onClose}
        onSubmit={async (draft) => onAdded(await add(draft))}
      />
    </Dialog>
  );
}

interface EditUserProps {
  user: User;
  onClose: () => void;
}

export function EditUser({ user, onClose }: EditUserProps) {
  const save = useAct({
    run: (draft: UserDraft) => changeUser(user.id, draft),
    touches: [USERS],
    says: ({ name }) => texts.people.saved(name),
  });
  return (
    <Dialog open onClose={onClose} title={texts.people.editTitle(user.name)}>
      <UserForm
        initial={{ email: user.email, name: user.name, memberships: user.memberships }}
        action={texts.actions.save}
        onCancel={onClose}
        onSubmit={async (draft) => {
          await save(draft);
          onClose();
        }}
      />
    </Dialog>
  );
}

interface UserFormProps {
  initial: UserDraft;
  action: string;
  onCancel: () => void;
  onSubmit: (draft: UserDraft) => Promise<void>;
}

function UserForm({ initial, action, onCancel, onSubmit }: UserFormProps) {
  const form = useForm<UserDraft>({
    initial,
    validate: ({ email, name }) => invalidOf({ email: needed(email), name: needed(name) }),
    submit: ({ email, name, memberships }) =>
      onSubmit({ email: email.trim(), name: name.trim(), memberships }),
  });
  return (
    <Form form={form} label={action}>
      <DialogBody>
        <FormMessage form={form} />
        <TextField form={form} name="name" label={texts.people.name} />
        <TextField form={form} name="email" label={texts.people.email} kind="email" />
        <FieldGroup
          label={texts.people.memberships}
          hint={texts.people.membershipsHint}
          error={form.errors.fields.memberships}
        >
          <MembershipEditor
            memberships={form.values.memberships}
            onChange={(memberships) => form.set("memberships", memberships)}
          />
        </FieldGroup>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>{texts.actions.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {action}
        </Button>
      </DialogFooter>
    </Form>
  );
}
