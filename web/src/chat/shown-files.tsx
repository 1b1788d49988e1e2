/** Files of a message: images as they are, others to be saved. All come from this server. */

import { Download, FileText } from "lucide-react";
import { texts } from "../texts";
import { isImage } from "./attachments";
import type { FilePart } from "./message";

const words = texts.chat.files;
const OWN = /^\/api\/files\/[0-9a-f-]{36}$/u;

interface ShownFilesProps {
  files: readonly FilePart[];
}

export function ShownFiles({ files }: ShownFilesProps) {
  const own = files.filter(({ url }) => OWN.test(url));
  if (own.length === 0) return null;
  return (
    <ul aria-label={words.list} className="flex flex-wrap justify-end gap-2">
      {own.map((file) => (
        <li key={file.url} className="min-w-0 max-w-full">
          {isImage(file.mediaType) ? <Picture file={file} /> : <Paper file={file} />}
        </li>
      ))}
    </ul>
  );
}

interface FileProps {
  file: FilePart;
}

function Picture({ file }: FileProps) {
  const name = file.filename ?? words.unnamed;
  return (
    <a
      href={file.url}
      target="_blank"
      rel="noreferrer"
      aria-label={words.open(name)}
      title={name}
      className="block overflow-hidden rounded-xl border border-line bg-hover"
    >
      <img
        src={file.url}
        alt={name}
        loading="lazy"
        className="h-36 min-w-16 max-w-full object-cover sm:max-w-72"
      />
    </a>
  );
}

function Paper({ file }: FileProps) {
  const name = file.filename ?? words.unnamed;
  return (
    <a
      href={file.url}
      download={name}
      aria-label={words.save(name)}
      className="group flex max-w-full items-center gap-2.5 rounded-xl border border-line bg-raised py-2 pr-3 pl-2.5 shadow-soft transition-colors hover:border-line-strong"
    >
      <FileText size={17} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="max-w-60 truncate text-[0.8125rem] font-medium">{name}</span>
      <Download
        size={14}
        aria-hidden="true"
        className="shrink-0 text-faint group-hover:text-accent"
      />
    </a>
  );
}
