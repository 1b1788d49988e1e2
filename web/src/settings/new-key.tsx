/** A new key: choose how long it lasts, then copy it, once. */

import { useState } from "react";
import { APPLICATIONS, createKey } from "../api/applications";
import type { Application, CreatedKey } from "../api/types";
import { Form, FormMessage } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import { ShownOnce } from "../ui/shown-once";

type Expiry = "30" | "90" | "365" | "never";

const EXPIRIES: readonly Expiry[] = ["90", "30", "365", "never"];

const DAYS: Record<Expiry, number | null> = { 30: 30, 90: 90, 365: 365, never: null };

interface NewKeyProps {
  application: Application;
  onClose: () => void;
}

export function NewKey({ application, onClose }: NewKeyProps) {
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const create = useAct({
    run: (days: number | null) => createKey(application.id, days),
    touches: [APPLICATIONS],
  });
  if (created !== null) {
    return (
      <ShownOnce
        title={texts.keys.shownTitle}
        body={texts.keys.shownBody}
        label={texts.keys.shownLabel}
        value={created.key}
        done={texts.keys.shownDone}
        expiresAt={created.expiresAt}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onClose={onClose} title={texts.keys.newKeyFor(application.name)} width="narrow">
      <ExpiryForm onCancel={onClose} onSubmit={async (days) => setCreated(await create(days))} />
    </Dialog>
  );
}

interface ExpiryFormProps {
  onCancel: () => void;
  onSubmit: (days: number | null) => Promise<void>;
}

function ExpiryForm({ onCancel, onSubmit }: ExpiryFormProps) {
  const form = useForm<{ expiresInDays: Expiry }>({
    initial: { expiresInDays: "90" },
    submit: ({ expiresInDays }) => onSubmit(DAYS[expiresInDays]),
  });
  return (
    <Form form={form} label={texts.keys.newKey}>
      <DialogBody>
        <FormMessage form={form} />
        <Field label={texts.keys.expires} error={form.errors.fields.expiresInDays}>
          {(control) => (
            <Select
              {...control}
              value={form.values.expiresInDays}
              choices={EXPIRIES.map((value) => ({ value, label: texts.keys.expiry[value] }))}
              onChange={(value) => form.set("expiresInDays", value)}
            />
          )}
        </Field>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>{texts.actions.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          {texts.keys.createKey}
        </Button>
      </DialogFooter>
    </Form>
  );
}
