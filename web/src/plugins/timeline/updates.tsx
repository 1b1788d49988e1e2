/** What was said about it, the newest first. */

import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TimelineUpdate } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Section } from "../../ui/page";
import { Time } from "../../ui/time";
import type { SubjectDetail, TimelineRequests } from "./requests";

const words = texts.timeline.updates;

interface UpdatesProps {
  subject: SubjectDetail;
  requests: TimelineRequests;
  mayChange: boolean;
  showStatus: (status: string) => ReactNode;
  action: ReactNode;
}

export function Updates({ subject, requests, mayChange, showStatus, action }: UpdatesProps) {
  const [deleting, setDeleting] = useState<TimelineUpdate | null>(null);
  const drop = useAct({
    run: (update: TimelineUpdate) => requests.deleteUpdate(subject.id, update.id),
    touches: [requests.key],
    says: () => words.deleted,
  });
  return (
    <Section title={words.heading} action={action}>
      {subject.updates.length === 0 && <p className="text-muted">{words.none}</p>}
      <ol className="border-l border-line">
        {subject.updates.map((update) => (
          <UpdateEntry
            key={update.id}
            update={update}
            status={showStatus(update.status)}
            onDelete={mayChange ? () => setDeleting(update) : null}
          />
        ))}
      </ol>
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={words.deleteTitle}
        body={words.deleteBody}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
    </Section>
  );
}

interface UpdateEntryProps {
  update: TimelineUpdate;
  status: ReactNode;
  onDelete: (() => void) | null;
}

function UpdateEntry({ update, status, onDelete }: UpdateEntryProps) {
  return (
    <li className="relative pb-6 pl-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-1.5 -left-[0.3125rem] size-2.5 rounded-full border-2 border-canvas bg-line-strong"
      />
      <div className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1">
        {status}
        <span className="text-[0.8125rem] text-muted">
          {update.author} · <Time value={update.createdAt} />
        </span>
        {onDelete !== null && (
          <span className="ml-auto">
            <IconButton label={words.delete} icon={Trash2} tone="danger" onClick={onDelete} />
          </span>
        )}
      </div>
      <p className="mt-1 max-w-2xl whitespace-pre-line wrap-anywhere">{update.text}</p>
    </li>
  );
}
