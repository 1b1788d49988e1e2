/** A team: its name and its members. */

import { addTeam, changeTeam, TEAMS } from "../api/people";
import { ME } from "../api/session";
import type { Team, User } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { SlugField } from "../forms/slug-field";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed, slugFrom } from "../forms/validate";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { Field } from "../ui/field";
import { PickMany } from "../ui/picker";

interface TeamDraft {
  name: string;
  slug: string;
  memberIds: string[];
}

interface TeamDialogProps {
  team: Team | null;
  users: User[];
  onClose: () => void;
}

export function TeamDialog({ team, users, onClose }: TeamDialogProps) {
  const save = useAct({
    run: ({ name, slug, memberIds }: TeamDraft) =>
      team === null ? addTeam({ name, slug, memberIds }) : changeTeam(team.id, { name, memberIds }),
    touches: [TEAMS, ME],
    says: ({ name }) => (team === null ? texts.teams.created(name) : texts.teams.saved(name)),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={team === null ? texts.teams.new : texts.teams.editTitle(team.name)}
    >
      <TeamForm
        team={team}
        users={users}
        onCancel={onClose}
        onSubmit={async (draft) => {
          await save(draft);
          onClose();
        }}
      />
    </Dialog>
  );
}

interface TeamFormProps {
  team: Team | null;
  users: User[];
  onCancel: () => void;
  onSubmit: (draft: TeamDraft) => Promise<void>;
}

function TeamForm({ team, users, onCancel, onSubmit }: TeamFormProps) {
  const form = useForm<TeamDraft>({
    initial: { name: team?.name ?? "", slug: team?.slug ?? "", memberIds: team?.memberIds ?? [] },
    validate: ({ name }) => invalidOf({ name: needed(name) }),
    submit: ({ name, slug, memberIds }) =>
      onSubmit({ name: name.trim(), slug: slug || slugFrom(name), memberIds }),
  });
  const people = users
    .filter((user) => user.active || form.values.memberIds.includes(user.id))
    .map(({ id, name, email }) => ({ value: id, label: name, hint: email }));
  return (
    <Form form={form} label={texts.people.tabs.teams}>
      <DialogBody>
        <FormMessage form={form} />
        <TextField form={form} name="name" label={texts.teams.name} />
        {team === null && <SlugField form={form} />}
        <Field label={texts.teams.members} error={form.errors.fields.memberIds}>
          {(control) => (
            <PickMany
              {...control}
              values={form.values.memberIds}
              choices={people}
              placeholder={texts.teams.findPeople}
              onChange={(memberIds) => form.set("memberIds", memberIds)}
            />
          )}
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>{texts.actions.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {team === null ? texts.actions.create : texts.actions.save}
        </Button>
      </DialogFooter>
    </Form>
  );
}
