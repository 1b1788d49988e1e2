/** Remembering something, and changing what is remembered. */

import { useQuery } from "@tanstack/react-query";
import { may } from "../access/rules";
import { addMemory, changeMemory, MEMORIES, memoriesQuery } from "../api/knowledge";
import type { Memory } from "../api/types";
import { Footer } from "../assistant/integration-dialog";
import { useNewest } from "../assistant/use-newest";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { type FormState, useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { invalidOf, needed } from "../forms/validate";
import { systemsQuery } from "../plugins/catalog/requests";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { Field } from "../ui/field";
import { PickOne } from "../ui/picker";
import { Tick } from "../ui/tick";

const words = texts.knowledge.memories;
const ROWS = 4;
const NEW = { text: "", hint: "", alwaysApply: false, shared: false, systemId: "" };
type New = typeof NEW;
type Kept = Pick<Memory, "text" | "hint" | "alwaysApply">;

const check = ({ text }: Pick<New, "text">) => invalidOf({ text: needed(text) });
const valuesOf = ({ text, hint, alwaysApply }: Memory): Kept => ({ text, hint, alwaysApply });

interface NewMemoryProps {
  onClose: () => void;
}

export function NewMemory({ onClose }: NewMemoryProps) {
  const add = useAct({ run: addMemory, touches: [MEMORIES], says: () => words.remembered });
  const form = useForm<New>({
    initial: NEW,
    validate: check,
    submit: async ({ shared, systemId, ...values }) => {
      const reach = shared ? "shared" : "personal";
      await add({ ...values, reach, systemId: systemId || null });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <Texts form={form} />
          <About form={form} />
          <Reach form={form} />
        </DialogBody>
        <Footer action={words.remember} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface EditMemoryProps extends NewMemoryProps {
  memory: Memory;
  /** The search whose list it is in. */
  q: string;
}

export function EditMemory({ memory, q, onClose }: EditMemoryProps) {
  const save = useAct({
    run: (values: Kept, expectedVersion: number) =>
      changeMemory(memory.id, { ...values, expectedVersion }),
    touches: [MEMORIES],
    says: () => words.saved,
  });
  const { form, state, loadNewest } = useVersionedForm<Kept>({
    loaded: { values: valuesOf(memory), version: memory.version },
    validate: check,
    reload: useNewest(memoriesQuery(q), memory.id, valuesOf),
    save: async (values, version) => {
      await save(values, version);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.edit}>
      <Form form={form} label={words.edit}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <Texts form={form} />
          <Always form={form} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface FieldsProps<Values extends object> {
  form: FormState<Values>;
}

function Texts<Values extends Kept>({ form }: FieldsProps<Values>) {
  const known = form as unknown as FormState<Kept>;
  return (
    <>
      <TextField form={known} name="text" kind="area" rows={ROWS} label={words.text} />
      <TextField form={known} name="hint" label={words.hint} hint={words.hintHint} optional />
    </>
  );
}

function Always<Values extends Kept>({ form }: FieldsProps<Values>) {
  const known = form as unknown as FormState<Kept>;
  return (
    <Tick
      checked={known.values.alwaysApply}
      onChange={(always) => known.set("alwaysApply", always)}
      className="-mx-3 rounded-lg"
    >
      {words.alwaysLong}
    </Tick>
  );
}

function About({ form }: FieldsProps<New>) {
  const me = useMe();
  const seen = may(me, "catalog.system.read");
  const { data: systems = [] } = useQuery({ ...systemsQuery(null), enabled: seen });
  if (systems.length === 0) return null;
  return (
    <Field label={words.system} optional error={form.errors.fields.systemId}>
      {(control) => (
        <PickOne
          {...control}
          value={form.values.systemId || null}
          choices={systems.map(({ id, name }) => ({ value: id, label: name }))}
          placeholder={words.noSystem}
          onChange={(systemId) => form.set("systemId", systemId ?? "")}
        />
      )}
    </Field>
  );
}

/** What goes into everybody's prompt is for those who may put it there. */
function Reach({ form }: FieldsProps<New>) {
  const mayShare = may(useMe(), "ai.sharing.manage");
  const { shared, systemId } = form.values;
  return (
    <>
      {(mayShare || systemId !== "") && (
        <Tick
          checked={shared}
          onChange={(wanted) => form.set("shared", wanted)}
          className="-mx-3 rounded-lg"
        >
          {systemId === "" ? words.shareWithAll : words.shareWithSystem}
        </Tick>
      )}
      {(mayShare || !shared) && <Always form={form} />}
    </>
  );
}
