/** Adding an agent, and changing one that others may change at the same time. */

import { AGENTS, addAgent, agentsQuery, changeAgent } from "../api/assistant";
import type { Agent } from "../api/types";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage, TextField } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { slugFrom } from "../forms/validate";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import {
  type AgentValues,
  changeOf,
  checkAgent,
  draftOf,
  NEW_AGENT,
  valuesOf,
} from "./agent-draft";
import { AgentFields, type Offer } from "./agent-fields";
import { Footer } from "./integration-dialog";
import { useNewest } from "./use-newest";

const words = texts.agents;

interface NewAgentProps {
  offer: Offer;
  onClose: () => void;
}

export function NewAgent({ offer, onClose }: NewAgentProps) {
  const add = useAct({
    run: addAgent,
    touches: [AGENTS],
    says: ({ name }) => words.created(name),
  });
  const form = useForm<AgentValues>({
    initial: NEW_AGENT,
    validate: checkAgent,
    submit: async (values) => {
      await add(draftOf(values));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.new} width="wide">
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="name" label={words.fieldName} />
            <TextField
              form={form}
              name="slug"
              label={texts.forms.slug}
              hint={words.slugHint}
              placeholder={slugFrom(form.values.name)}
            />
          </div>
          <AgentFields form={form} offer={offer} />
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface EditAgentProps extends NewAgentProps {
  agent: Agent;
}

export function EditAgent({ agent, offer, onClose }: EditAgentProps) {
  const reload = useNewest(agentsQuery, agent.id, valuesOf);
  const save = useAct({
    run: (values: AgentValues, version: number) => changeAgent(agent.id, changeOf(values, version)),
    touches: [AGENTS],
    says: ({ name }) => words.saved(name),
  });
  const { form, state, loadNewest } = useVersionedForm<AgentValues>({
    loaded: { values: valuesOf(agent), version: agent.version },
    validate: checkAgent,
    reload,
    save: async (values, version) => {
      await save(values, version);
      onClose();
    },
  });
  const title = words.editTitle(agent.name);
  return (
    <Dialog open onClose={onClose} title={title} description={agent.slug} width="wide">
      <Form form={form} label={title}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <TextField form={form} name="name" label={words.fieldName} />
          <AgentFields form={form} offer={offer} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
