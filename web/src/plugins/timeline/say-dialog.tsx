/** Saying how something goes on: an update, with another status where there is a choice. */

import { Form, FormMessage, TextField } from "../../forms/form";
import { useForm } from "../../forms/use-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { type Choice, Select } from "../../ui/select";
import { SaveFooter } from "../catalog/fields";
import { NotifyField } from "./fields";
import type { Said, Subject, TimelineRequests } from "./requests";

interface Values extends Said {
  status: string;
}

interface SayDialogProps {
  title: string;
  action: string;
  subject: Subject;
  requests: TimelineRequests;
  /** To choose from, the present one first chosen; nothing to choose without. */
  statuses?: readonly Choice[];
  status?: string;
  suggested?: string;
  onClose: () => void;
  onSay: (said: Values) => Promise<unknown>;
}

export function SayDialog({
  title,
  action,
  subject,
  requests,
  statuses = [],
  status = "",
  suggested = "",
  onClose,
  onSay,
}: SayDialogProps) {
  const form = useForm<Values>({
    initial: { text: suggested, status, notify: false },
    validate: ({ text }) => invalidOf({ text: needed(text) }),
    submit: async (values) => {
      await onSay({ ...values, text: values.text.trim() });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form form={form} label={title}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField form={form} name="text" label={texts.timeline.text} kind="area" rows={4} />
          {statuses.length > 0 && (
            <Field label={texts.timeline.status} error={form.errors.fields.status}>
              {(control) => (
                <Select
                  {...control}
                  value={form.values.status}
                  choices={statuses}
                  onChange={(chosen) => form.set("status", chosen)}
                />
              )}
            </Field>
          )}
          <NotifyField form={form} requests={requests} workspaceId={subject.workspaceId} />
        </DialogBody>
        <SaveFooter action={action} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
