/** What the assistant got wrong, or what was learned: told in every chat. */

import { useQuery } from "@tanstack/react-query";
import { PencilLine, Trash2 } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { addCorrection, CORRECTIONS, correctionsQuery, removeCorrection } from "../api/knowledge";
import type { Correction, CorrectionDraft } from "../api/types";
import { Footer } from "../assistant/integration-dialog";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { IconButton } from "../ui/button";
import { Dialog, DialogBody } from "../ui/dialog";
import { Field } from "../ui/field";
import { ManagedList } from "../ui/managed-list";
import { Select } from "../ui/select";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { shorten } from "./shorten";

const words = texts.knowledge.corrections;
const NEW: CorrectionDraft = { text: "", kind: "correction" };
const KINDS = ["correction", "learning"] as const;

export function CorrectionsPage() {
  return (
    <RequireRule rule="ai.correction.read">
      <Corrections />
    </RequireRule>
  );
}

function Corrections() {
  const query = useQuery(correctionsQuery);
  const mayManage = useMayEverywhere("ai.correction.manage");
  const [adding, setAdding] = useState(false);
  const [going, setGoing] = useState<Correction | null>(null);
  const remove = useAct({
    run: ({ id }: Correction) => removeCorrection(id),
    touches: [CORRECTIONS],
    says: () => words.removed,
  });
  return (
    <>
      <ManagedList
        query={query}
        about={words.about}
        empty={{ icon: PencilLine, title: words.emptyTitle, body: words.emptyBody }}
        create={mayManage ? { label: words.new, onClick: () => setAdding(true) } : null}
        removal={{
          item: going,
          title: () => words.removeTitle,
          body: ({ text }) => shorten(text),
          action: words.remove,
          run: remove,
          onClose: () => setGoing(null),
        }}
      >
        {(corrections) => <List corrections={corrections} onRemove={mayManage ? setGoing : null} />}
      </ManagedList>
      {adding && <NewCorrection onClose={() => setAdding(false)} />}
    </>
  );
}

interface ListProps {
  corrections: readonly Correction[];
  onRemove: ((correction: Correction) => void) | null;
}

function List({ corrections, onRemove }: ListProps) {
  return (
    <Table
      label={words.list}
      rows={corrections}
      columns={[
        {
          key: "text",
          label: words.text,
          cell: ({ text, kind }) => (
            <div className="min-w-0">
              <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
              <p className="mt-1">
                <Badge>{words.kinds[kind]}</Badge>
              </p>
            </div>
          ),
        },
        {
          key: "added",
          label: words.added,
          from: "tablet",
          className: "text-muted",
          cell: ({ addedAt, authorName }) => (
            <>
              <Time value={addedAt} />
              <span className="block whitespace-nowrap">{words.by(authorName)}</span>
            </>
          ),
        },
        {
          key: "actions",
          label: words.remove,
          actions: true,
          cell: (one) =>
            onRemove !== null && (
              <IconButton
                label={words.removeNamed(shorten(one.text))}
                icon={Trash2}
                tone="danger"
                onClick={() => onRemove(one)}
              />
            ),
        },
      ]}
    />
  );
}

interface NewCorrectionProps {
  onClose: () => void;
}

function NewCorrection({ onClose }: NewCorrectionProps) {
  const add = useAct({
    run: addCorrection,
    touches: [CORRECTIONS],
    says: () => words.created,
  });
  const form = useForm<CorrectionDraft>({
    initial: NEW,
    validate: ({ text }) => invalidOf({ text: needed(text) }),
    submit: async (values) => {
      await add(values);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField
            form={form}
            name="text"
            kind="area"
            rows={3}
            label={words.text}
            hint={words.textHint}
          />
          <Field label={words.kind} error={form.errors.fields.kind}>
            {(control) => (
              <Select
                {...control}
                value={form.values.kind}
                choices={KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
                onChange={(kind) => form.set("kind", kind)}
              />
            )}
          </Field>
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
