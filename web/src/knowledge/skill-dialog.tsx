/** Writing a skill, and changing one. */

import { may } from "../access/rules";
import { addSkill, changeSkill, SKILLS, skillsQuery } from "../api/knowledge";
import type { Skill } from "../api/types";
import { Footer } from "../assistant/integration-dialog";
import { useNewest } from "../assistant/use-newest";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { type FormState, useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { invalidOf, needed } from "../forms/validate";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { Tick } from "../ui/tick";

const words = texts.knowledge.skills;
const ROWS = 8;
const NEW = { name: "", description: "", prompt: "", starter: "", shared: false };
type New = typeof NEW;
type Kept = Pick<Skill, "name" | "description" | "prompt" | "starter">;

const check = ({ name, prompt }: Pick<New, "name" | "prompt">) =>
  invalidOf({ name: needed(name), prompt: needed(prompt) });

const valuesOf = ({ name, description, prompt, starter }: Skill): Kept => ({
  name,
  description,
  prompt,
  starter,
});

interface NewSkillProps {
  onClose: () => void;
}

export function NewSkill({ onClose }: NewSkillProps) {
  const mayShare = may(useMe(), "ai.sharing.manage");
  const add = useAct({
    run: addSkill,
    touches: [SKILLS],
    says: ({ name }) => words.saved(name),
  });
  const form = useForm<New>({
    initial: NEW,
    validate: check,
    submit: async ({ shared, ...values }) => {
      await add({ ...values, reach: shared ? "shared" : "personal" });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new} width="wide">
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <Texts form={form} />
          {mayShare && (
            <Tick
              checked={form.values.shared}
              onChange={(shared) => form.set("shared", shared)}
              className="-mx-3 rounded-lg"
            >
              {words.share}
            </Tick>
          )}
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface EditSkillProps extends NewSkillProps {
  skill: Skill;
}

export function EditSkill({ skill, onClose }: EditSkillProps) {
  const save = useAct({
    run: (values: Kept, expectedVersion: number) =>
      changeSkill(skill.id, { ...values, expectedVersion }),
    touches: [SKILLS],
    says: ({ name }) => words.saved(name),
  });
  const { form, state, loadNewest } = useVersionedForm<Kept>({
    loaded: { values: valuesOf(skill), version: skill.version },
    validate: check,
    reload: useNewest(skillsQuery, skill.id, valuesOf),
    save: async (values, version) => {
      await save(values, version);
      onClose();
    },
  });
  const title = words.editNamed(skill.name);
  return (
    <Dialog open onClose={onClose} title={title} width="wide">
      <Form form={form} label={title}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <Texts form={form} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface TextsProps<Values extends Kept> {
  form: FormState<Values>;
}

function Texts<Values extends Kept>({ form }: TextsProps<Values>) {
  const known = form as unknown as FormState<Kept>;
  return (
    <>
      <TextField form={known} name="name" label={words.name} />
      <TextField form={known} name="description" label={words.description} optional />
      <TextField
        form={known}
        name="prompt"
        kind="area"
        rows={ROWS}
        label={words.prompt}
        hint={words.promptHint}
      />
      <TextField
        form={known}
        name="starter"
        label={words.starter}
        hint={words.starterHint}
        optional
      />
    </>
  );
}
