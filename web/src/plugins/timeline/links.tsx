/** Where to read more. */

import { ExternalLink, Plus, X } from "lucide-react";
import { useState } from "react";
import type { TimelineLink } from "../../api/types";
import { Form, FormMessage, TextField } from "../../forms/form";
import { useAct } from "../../forms/use-act";
import { useForm } from "../../forms/use-form";
import { invalidOf, needed } from "../../forms/validate";
import { texts } from "../../texts";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Dialog, DialogBody } from "../../ui/dialog";
import { Card, Section } from "../../ui/page";
import { SaveFooter } from "../catalog/fields";
import type { LinkDraft, SubjectDetail, TimelineRequests } from "./requests";

const words = texts.timeline.links;

interface LinksProps {
  subject: SubjectDetail;
  requests: TimelineRequests;
  mayChange: boolean;
}

export function Links({ subject, requests, mayChange }: LinksProps) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<TimelineLink | null>(null);
  const remove = useAct({
    run: (link: TimelineLink) => requests.removeLink(subject.id, link.id),
    touches: [requests.key],
    says: () => words.removed,
  });
  if (subject.links.length === 0 && !mayChange) return null;
  return (
    <Section
      title={words.heading}
      action={
        mayChange && (
          <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <Card>
        {subject.links.length === 0 && <p className="px-4 py-3 text-muted">{words.none}</p>}
        <ul className="divide-y divide-line">
          {subject.links.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              onRemove={mayChange ? () => setRemoving(link) : null}
            />
          ))}
        </ul>
      </Card>
      {adding && <AddLink subject={subject} requests={requests} onClose={() => setAdding(false)} />}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={words.removeTitle(removing?.label ?? "")}
        body={removing?.url ?? ""}
        action={words.remove}
        onConfirm={async () => removing && remove(removing)}
      />
    </Section>
  );
}

interface LinkRowProps {
  link: TimelineLink;
  onRemove: (() => void) | null;
}

function LinkRow({ link, onRemove }: LinkRowProps) {
  return (
    <li className="flex items-center gap-3 py-2 pr-2 pl-4">
      <a
        href={link.url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-w-0 flex-1 items-center gap-2 font-medium hover:underline"
      >
        <ExternalLink size={14} aria-hidden="true" className="shrink-0 text-muted" />
        <span className="truncate">{link.label}</span>
        <span className="truncate text-[0.8125rem] font-normal text-muted">
          {new URL(link.url).host}
        </span>
      </a>
      {onRemove !== null && (
        <IconButton
          label={texts.actions.remove(link.label)}
          icon={X}
          tone="danger"
          onClick={onRemove}
        />
      )}
    </li>
  );
}

interface AddLinkProps {
  subject: SubjectDetail;
  requests: TimelineRequests;
  onClose: () => void;
}

function AddLink({ subject, requests, onClose }: AddLinkProps) {
  const add = useAct({
    run: (link: LinkDraft) => requests.addLink(subject.id, link),
    touches: [requests.key],
    says: () => words.added,
  });
  const form = useForm<LinkDraft>({
    initial: { label: "", url: "" },
    validate: ({ label, url }) =>
      invalidOf({
        label: needed(label),
        url: url.trim().startsWith("https://") ? undefined : words.needsHttps,
      }),
    submit: async ({ label, url }) => {
      await add({ label: label.trim(), url: url.trim() });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={words.add} width="narrow">
      <Form form={form} label={words.add}>
        <DialogBody>
          <FormMessage form={form} />
          <TextField form={form} name="label" label={words.label} />
          <TextField form={form} name="url" label={words.url} placeholder={words.urlExample} />
        </DialogBody>
        <SaveFooter action={texts.actions.add} busy={form.busy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
