/** Allowing a destination. */

import { useQuery } from "@tanstack/react-query";
import { allowDestination, DESTINATIONS, toolsQuery } from "../api/assistant";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import { Footer } from "./integration-dialog";

const words = texts.destinations;
const EVERY = "*";
const NEW = { origin: "", tool: EVERY, note: "" };

interface NewDestinationProps {
  onClose: () => void;
}

export function NewDestination({ onClose }: NewDestinationProps) {
  const { data: tools = [] } = useQuery(toolsQuery);
  const allow = useAct({
    run: allowDestination,
    touches: [DESTINATIONS],
    says: ({ origin }) => words.created(origin),
  });
  const form = useForm<typeof NEW>({
    initial: NEW,
    validate: ({ origin }) => invalidOf({ origin: needed(origin) }),
    submit: async ({ tool, ...values }) => {
      await allow({ ...values, tool: tool === EVERY ? null : tool });
      onClose();
    },
  });
  const choices = tools.filter(({ egress }) => egress);
  return (
    <Dialog open onClose={onClose} title={words.new}>
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField
            form={form}
            name="origin"
            label={words.origin}
            hint={words.originHint}
            placeholder={words.originPlaceholder}
          />
          <Field label={words.tool} error={form.errors.fields.tool}>
            {(control) => (
              <Select
                {...control}
                value={form.values.tool}
                choices={[
                  { value: EVERY, label: words.everyTool },
                  ...choices.map(({ name, title }) => ({ value: name, label: title, hint: name })),
                ]}
                onChange={(tool) => form.set("tool", tool)}
              />
            )}
          </Field>
          <TextField form={form} name="note" label={words.note} optional />
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
