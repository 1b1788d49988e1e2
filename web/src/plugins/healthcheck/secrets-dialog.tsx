/** Secrets of a workspace that scripts name: kept, replaced and forgotten, and never shown. */

import { useQuery } from "@tanstack/react-query";
import { KeyRound, X } from "lucide-react";
import { useState } from "react";
import type { KeptSecret } from "../../api/types";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Loaded } from "../../ui/loaded";
import { SaveFooter } from "../catalog/fields";
import type { Placement } from "../catalog/placement";
import { PlacementSelect } from "../catalog/placement-select";
import { forgetSecret, keepSecret, SECRETS, secretsQuery } from "./requests";

const words = texts.healthcheck.secrets;

interface SecretsButtonProps {
  placement: Placement;
}

/** Not shown to those who may not keep any. */
export function SecretsButton({ placement }: SecretsButtonProps) {
  const [open, setOpen] = useState(false);
  if (placement.options.length === 0) return null;
  return (
    <>
      <Button icon={KeyRound} onClick={() => setOpen(true)}>
        {words.heading}
      </Button>
      {open && <SecretsDialog placement={placement} onClose={() => setOpen(false)} />}
    </>
  );
}

interface SecretsDialogProps extends SecretsButtonProps {
  onClose: () => void;
}

function SecretsDialog({ placement, onClose }: SecretsDialogProps) {
  const [workspaceId, setWorkspaceId] = useState(placement.initial);
  const query = useQuery(secretsQuery(workspaceId));
  return (
    <Dialog open onClose={onClose} title={words.heading} description={words.body}>
      <PlacementSelect placement={placement} value={workspaceId} onChange={setWorkspaceId} />
      <Loaded query={query} loading={<div className="h-40" />}>
        {(kept) => (
          <>
            <Kept secrets={kept} />
            <KeepForm key={workspaceId} workspaceId={workspaceId} onClose={onClose} />
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

interface KeptProps {
  secrets: readonly KeptSecret[];
}

function Kept({ secrets }: KeptProps) {
  const [leaving, setLeaving] = useState<KeptSecret | null>(null);
  const forget = useAct({
    run: ({ id }: KeptSecret) => forgetSecret(id),
    touches: [SECRETS],
    says: (_, { name }) => words.forgotten(name),
  });
  if (secrets.length === 0) return <p className="px-5 pt-4 text-muted">{words.none}</p>;
  return (
    <>
      <ul
        aria-label={words.heading}
        className="mx-5 mt-4 max-h-56 divide-y divide-line overflow-y-auto rounded-lg border border-line"
      >
        {secrets.map((secret) => (
          <li key={secret.id} className="flex items-center gap-3 py-1 pr-1 pl-3">
            <code className="min-w-0 flex-1 truncate text-[0.8125rem]">
              {words.placeholder(secret.name)}
            </code>
            <IconButton
              label={words.forgetNamed(secret.name)}
              icon={X}
              tone="danger"
              onClick={() => setLeaving(secret)}
            />
          </li>
        ))}
      </ul>
      <Confirm
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={words.forgetTitle(leaving?.name ?? "")}
        body={words.forgetBody}
        action={words.forget}
        onConfirm={async () => leaving && forget(leaving)}
      />
    </>
  );
}

interface KeepFormProps {
  workspaceId: string;
  onClose: () => void;
}

function KeepForm({ workspaceId, onClose }: KeepFormProps) {
  const keep = useAct({
    run: keepSecret,
    touches: [SECRETS],
    says: ({ name }) => words.kept(name),
  });
  const form = useForm({
    initial: { name: "", value: "" },
    validate: ({ name, value }) =>
      invalidOf({ name: needed(name), value: value === "" ? texts.forms.required : undefined }),
    submit: async ({ name, value }) => {
      await keep({ workspaceId, name: name.trim(), value });
      form.replace({ name: "", value: "" });
    },
  });
  return (
    <Form form={form} label={words.keep}>
      <DialogBody>
        <FormMessage form={form} />
        <TextField
          form={form}
          name="name"
          label={words.name}
          hint={words.nameHint}
          placeholder={words.nameExample}
        />
        <TextField
          form={form}
          name="value"
          kind="password"
          label={words.value}
          hint={words.valueHint}
          autoComplete="new-password"
        />
      </DialogBody>
      <SaveFooter action={words.keep} busy={form.busy} onCancel={onClose} />
    </Form>
  );
}
