/** Files that wait to be sent, above what is written. */

import { FileText, X } from "lucide-react";
import { fileUrl } from "../api/files";
import { texts } from "../texts";
import { IconButton, Spinner } from "../ui/button";
import { classes } from "../ui/classes";
import { type Attachment, describeSize, isImage } from "./attachments";

const words = texts.chat.files;

interface AttachmentListProps {
  attachments: readonly Attachment[];
  onRemove: (attachment: Attachment) => void;
}

export function AttachmentList({ attachments, onRemove }: AttachmentListProps) {
  if (attachments.length === 0) return null;
  return (
    <ul aria-label={words.list} className="flex max-h-44 flex-wrap gap-2 overflow-y-auto p-1">
      {attachments.map((one) => (
        <li
          key={one.key}
          className={classes(
            "relative flex max-w-full min-w-0 items-center gap-2.5 overflow-hidden rounded-xl border p-1.5 pr-1",
            one.state === "failed" ? "border-danger/40 bg-danger-soft" : "border-line bg-surface",
          )}
        >
          <Preview attachment={one} />
          <span className="flex min-w-0 flex-col">
            <span className="max-w-44 truncate text-[0.8125rem] font-medium" title={one.name}>
              {one.name}
            </span>
            <Standing attachment={one} />
          </span>
          <IconButton
            label={texts.actions.remove(one.name)}
            icon={X}
            onClick={() => onRemove(one)}
            className="ml-auto"
          />
          {one.state === "sending" && (
            <progress
              value={one.part}
              aria-label={words.sending(Math.round(one.part * 100))}
              className="upload-progress absolute inset-x-0 bottom-0 h-0.5 w-full"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface OneProps {
  attachment: Attachment;
}

function Preview({ attachment }: OneProps) {
  if (attachment.state === "ready" && isImage(attachment.mediaType)) {
    return (
      <img
        src={fileUrl(attachment.fileId)}
        alt=""
        className="size-9 shrink-0 rounded-lg bg-hover object-cover"
      />
    );
  }
  return (
    <span className="flex size-9 shrink-0 items-center justify-center rounded-lg bg-hover text-muted">
      {attachment.state === "sending" ? <Spinner /> : <FileText size={17} aria-hidden="true" />}
    </span>
  );
}

function Standing({ attachment }: OneProps) {
  if (attachment.state === "failed") {
    return (
      <span role="alert" className="max-w-72 text-xs text-pretty text-on-danger-soft">
        {attachment.why}
      </span>
    );
  }
  return <span className="text-xs text-muted tabular-nums">{describeSize(attachment.size)}</span>;
}
