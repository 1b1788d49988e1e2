/** A role: its name and its rules. */

import { useQuery } from "@tanstack/react-query";
import { ownRules } from "../access/rules";
import { addRole, changeRole, ROLES, rulesQuery } from "../api/people";
import { ME } from "../api/session";
import type { Role, Rule } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { RulePicker } from "../forms/rule-picker";
import { SlugField } from "../forms/slug-field";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed, slugFrom } from "../forms/validate";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { FieldGroup } from "../ui/field";
import { Loaded } from "../ui/loaded";

interface RoleDraft {
  name: string;
  slug: string;
  rules: string[];
}

interface RoleDialogProps {
  role: Role | null;
  onClose: () => void;
}

export function RoleDialog({ role, onClose }: RoleDialogProps) {
  const save = useAct({
    run: ({ name, slug, rules }: RoleDraft) =>
      role === null ? addRole({ name, slug, rules }) : changeRole(role.id, { name, rules }),
    touches: [ROLES, ME],
    says: ({ name }) => (role === null ? texts.roles.created(name) : texts.roles.saved(name)),
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={role === null ? texts.roles.new : texts.roles.editTitle(role.name)}
      width="wide"
    >
      <RoleForm
        role={role}
        onCancel={onClose}
        onSubmit={async (draft) => {
          await save(draft);
          onClose();
        }}
      />
    </Dialog>
  );
}

interface RoleFormProps {
  role: Role | null;
  onCancel: () => void;
  onSubmit: (draft: RoleDraft) => Promise<void>;
}

function RoleForm({ role, onCancel, onSubmit }: RoleFormProps) {
  const me = useMe();
  const query = useQuery(rulesQuery);
  const form = useForm<RoleDraft>({
    initial: { name: role?.name ?? "", slug: role?.slug ?? "", rules: role?.rules ?? [] },
    validate: ({ name }) => invalidOf({ name: needed(name) }),
    submit: ({ name, slug, rules }) =>
      onSubmit({ name: name.trim(), slug: slug || slugFrom(name), rules }),
  });
  const offered = (rules: Rule[]) => {
    const names = rules.map(({ rule }) => rule);
    const kept = new Set([...ownRules(me, names), ...(role?.rules ?? [])]);
    return rules.filter(({ rule }) => kept.has(rule));
  };
  return (
    <Form form={form} label={texts.roles.heading}>
      <DialogBody>
        <FormMessage form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField form={form} name="name" label={texts.roles.name} />
          {role === null && <SlugField form={form} />}
        </div>
        <FieldGroup label={texts.roles.rules} error={form.errors.fields.rules}>
          <Loaded query={query}>
            {(rules) => (
              <RulePicker
                rules={offered(rules)}
                chosen={form.values.rules}
                empty={texts.forms.noOptions}
                onChange={(chosen) => form.set("rules", chosen)}
              />
            )}
          </Loaded>
        </FieldGroup>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>{texts.actions.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {role === null ? texts.actions.create : texts.actions.save}
        </Button>
      </DialogFooter>
    </Form>
  );
}
