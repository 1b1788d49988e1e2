/** A new application, with rules chosen from the person's own. */

import { useQuery } from "@tanstack/react-query";
import { ownRules } from "../access/rules";
import { APPLICATIONS, createApplication } from "../api/applications";
import { rulesQuery } from "../api/people";
import type { Application, Rule } from "../api/types";
import { Form, FormMessage, TextField } from "../forms/form";
import { RulePicker } from "../forms/rule-picker";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { FieldGroup } from "../ui/field";
import { Loaded } from "../ui/loaded";

interface NewApplicationProps {
  onClose: () => void;
  onCreated: (application: Application) => void;
}

export function NewApplication({ onClose, onCreated }: NewApplicationProps) {
  const create = useAct({
    run: createApplication,
    touches: [APPLICATIONS],
    says: ({ name }) => texts.keys.created(name),
  });
  return (
    <Dialog open onClose={onClose} title={texts.keys.new} width="wide">
      <ApplicationForm
        onCancel={onClose}
        onSubmit={async (draft) => onCreated(await create(draft))}
      />
    </Dialog>
  );
}

interface ApplicationDraft {
  name: string;
  rules: string[];
}

interface ApplicationFormProps {
  onCancel: () => void;
  onSubmit: (draft: ApplicationDraft) => Promise<void>;
}

function ApplicationForm({ onCancel, onSubmit }: ApplicationFormProps) {
  const me = useMe();
  const query = useQuery(rulesQuery);
  const form = useForm<ApplicationDraft>({
    initial: { name: "", rules: [] },
    validate: ({ name, rules }) =>
      invalidOf({
        name: needed(name),
        rules: rules.length === 0 ? texts.keys.rulesNeeded : undefined,
      }),
    submit: onSubmit,
  });
  const own = (all: Rule[]) => {
    const held = new Set(
      ownRules(
        me,
        all.map(({ rule }) => rule),
      ),
    );
    return all.filter(({ rule }) => held.has(rule));
  };
  return (
    <Form form={form} label={texts.keys.new}>
      <DialogBody>
        <FormMessage form={form} />
        <TextField
          form={form}
          name="name"
          label={texts.keys.name}
          placeholder={texts.keys.namePlaceholder}
        />
        <FieldGroup
          label={texts.keys.rules}
          hint={texts.keys.rulesHint}
          error={form.errors.fields.rules}
        >
          <Loaded query={query}>
            {(rules) => (
              <RulePicker
                rules={own(rules)}
                chosen={form.values.rules}
                empty={texts.keys.noRules}
                onChange={(chosen) => form.set("rules", chosen)}
              />
            )}
          </Loaded>
        </FieldGroup>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>{texts.actions.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {texts.actions.create}
        </Button>
      </DialogFooter>
    </Form>
  );
}
