/** Saying that one looks after an anomaly. */

import type { Anomaly } from "../../api/types";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { texts } from "../../texts";
import { Dialog, DialogBody } from "../../ui/dialog";
import { SaveFooter } from "../catalog/fields";
import { ANOMALIES, acknowledgeAnomaly } from "./requests";

const words = texts.anomaly;

interface AcknowledgeProps {
  anomaly: Anomaly;
  onClose: () => void;
}

export function Acknowledge({ anomaly, onClose }: AcknowledgeProps) {
  const acknowledge = useAct({
    run: (note: string) => acknowledgeAnomaly(anomaly.id, note, anomaly.version),
    touches: [ANOMALIES],
    says: ({ checkName }) => words.acknowledged(checkName),
  });
  const form = useForm({
    initial: { note: "" },
    submit: async ({ note }) => {
      await acknowledge(note);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.acknowledgeTitle(anomaly.checkName)}>
      <Form form={form} label={words.acknowledge}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField
            form={form}
            name="note"
            label={words.note}
            hint={words.noteHint}
            kind="area"
            optional
          />
        </DialogBody>
        <SaveFooter action={words.acknowledge} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
