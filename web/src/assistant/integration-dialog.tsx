/** Adding an integration, and changing one that others may change at the same time. */

import {
  AGENTS,
  addIntegration,
  changeIntegration,
  INTEGRATIONS,
  integrationsQuery,
} from "../api/assistant";
import type { Integration } from "../api/types";
import { ChangedNotice } from "../forms/changed-notice";
import { Form, FormMessage } from "../forms/form";
import { useAct } from "../forms/use-act";
import { useForm } from "../forms/use-form";
import { useVersionedForm } from "../forms/use-versioned-form";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import {
  changeOf,
  checkIntegration,
  draftOf,
  type IntegrationValues,
  NEW_INTEGRATION,
  valuesOf,
} from "./integration-draft";
import { IntegrationFields, ProviderChoice } from "./integration-fields";
import { useNewest } from "./use-newest";

const words = texts.integrations;

interface NewIntegrationProps {
  onClose: () => void;
  onSaved: (integration: Integration) => void;
}

export function NewIntegration({ onClose, onSaved }: NewIntegrationProps) {
  const add = useAct({
    run: addIntegration,
    touches: [INTEGRATIONS, AGENTS],
    says: ({ name }) => words.created(name),
  });
  const form = useForm<IntegrationValues>({
    initial: NEW_INTEGRATION,
    validate: checkIntegration,
    submit: async (values) => onSaved(await add(draftOf(values))),
  });
  return (
    <Dialog open onClose={onClose} title={words.new} width="wide">
      <Form form={form} label={words.new}>
        <DialogBody>
          <FormMessage form={form} />
          <ProviderChoice form={form} />
          <IntegrationFields form={form} hasKey={false} />
        </DialogBody>
        <Footer action={texts.actions.add} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface EditIntegrationProps extends NewIntegrationProps {
  integration: Integration;
}

export function EditIntegration({ integration, onClose, onSaved }: EditIntegrationProps) {
  const { id } = integration;
  const reload = useNewest(integrationsQuery, id, valuesOf);
  const save = useAct({
    run: (values: IntegrationValues, version: number) =>
      changeIntegration(id, changeOf(values, version)),
    touches: [INTEGRATIONS, AGENTS],
    says: ({ name }) => words.saved(name),
  });
  const { form, state, loadNewest } = useVersionedForm<IntegrationValues>({
    loaded: { values: valuesOf(integration), version: integration.version },
    validate: checkIntegration,
    reload,
    save: async (values, version) => onSaved(await save(values, version)),
  });
  const title = words.editTitle(integration.name);
  return (
    <Dialog open onClose={onClose} title={title} width="wide">
      <Form form={form} label={title}>
        <DialogBody>
          <ChangedNotice state={state} onLoad={loadNewest} />
          <FormMessage form={form} />
          <IntegrationFields form={form} hasKey={integration.hasKey} />
        </DialogBody>
        <Footer action={texts.actions.save} busy={form.busy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

interface FooterProps {
  action: string;
  busy: boolean;
  onClose: () => void;
}

export function Footer({ action, busy, onClose }: FooterProps) {
  return (
    <DialogFooter>
      <Button onClick={onClose}>{texts.actions.cancel}</Button>
      <Button type="submit" variant="primary" busy={busy}>
        {action}
      </Button>
    </DialogFooter>
  );
}
