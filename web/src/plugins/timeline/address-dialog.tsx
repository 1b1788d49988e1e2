/** Where a workspace's notifications go. */

import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { useState } from "react";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { texts } from "../../texts";
import { Button } from "../../ui/button";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Loaded } from "../../ui/loaded";
import { SaveFooter } from "../catalog/fields";
import type { Placement } from "../catalog/placement";
import { PlacementSelect } from "../catalog/placement-select";
import { addressQuery, type TimelineRequests } from "./requests";

const words = texts.timeline.address;

interface AddressButtonProps {
  requests: TimelineRequests;
  placement: Placement;
}

/** Not shown to those who may not set it anywhere. */
export function AddressButton({ requests, placement }: AddressButtonProps) {
  const [open, setOpen] = useState(false);
  if (placement.options.length === 0) return null;
  return (
    <>
      <Button icon={Bell} onClick={() => setOpen(true)}>
        {words.heading}
      </Button>
      {open && (
        <AddressDialog requests={requests} placement={placement} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface AddressDialogProps extends AddressButtonProps {
  onClose: () => void;
}

function AddressDialog({ requests, placement, onClose }: AddressDialogProps) {
  const [workspaceId, setWorkspaceId] = useState(placement.initial);
  const query = useQuery(addressQuery(requests, workspaceId));
  return (
    <Dialog open onClose={onClose} title={words.heading} description={words.body}>
      <PlacementSelect placement={placement} value={workspaceId} onChange={setWorkspaceId} />
      <Loaded query={query} loading={<div className="h-40" />}>
        {(url) => (
          <AddressForm
            key={workspaceId}
            requests={requests}
            workspaceId={workspaceId}
            url={url ?? ""}
            onClose={onClose}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

interface AddressFormProps {
  requests: TimelineRequests;
  workspaceId: string;
  url: string;
  onClose: () => void;
}

function AddressForm({ requests, workspaceId, url, onClose }: AddressFormProps) {
  const save = useAct({
    run: (given: string) => requests.setAddress(workspaceId, given === "" ? null : given),
    touches: [requests.key],
    says: (_, given) => (given === "" ? words.removed : words.saved),
  });
  const form = useForm({
    initial: { url },
    submit: async (values) => {
      await save(values.url.trim());
      onClose();
    },
  });
  return (
    <Form form={form} label={words.heading}>
      <DialogBody>
        <FormMessage form={form} />
        <TextField
          form={form}
          name="url"
          label={words.url}
          hint={words.hint}
          optional
          placeholder={words.example}
        />
      </DialogBody>
      <SaveFooter action={texts.actions.save} busy={form.busy} onCancel={onClose} />
    </Form>
  );
}
