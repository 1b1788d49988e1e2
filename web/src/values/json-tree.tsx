/** A JSON value as a tree: what is deep or long is folded, and made when it is opened. */

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts";
import { LongText } from "./long-text";
import { isScalar } from "./value-view";
import { Visible } from "./visible";

const OPEN_DEPTH = 2;
const OPEN_ENTRIES = 20;
const MOST_AT_ONCE = 100;

interface JsonTreeProps {
  value: unknown;
  name?: string;
  depth?: number;
}

export function JsonTree({ value, name, depth = 0 }: JsonTreeProps) {
  if (isScalar(value)) return <Leaf value={value} name={name} />;
  return <Branch value={value as object} name={name} depth={depth} />;
}

interface NameProps {
  name: string | undefined;
}

function Name({ name }: NameProps) {
  if (name === undefined) return null;
  return (
    <span className="shrink-0 font-mono text-[0.8125rem] text-muted">
      <Visible text={name} />
    </span>
  );
}

interface LeafProps extends NameProps {
  value: unknown;
}

function Leaf({ value, name }: LeafProps) {
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2.5 pl-4.5">
      <Name name={name} />
      <div className="min-w-0 flex-1 basis-40">
        {typeof value === "string" ? (
          <LongText text={value} />
        ) : (
          <code className="font-mono text-[0.8125rem]">{String(value)}</code>
        )}
      </div>
    </div>
  );
}

interface BranchProps extends NameProps {
  value: object;
  depth: number;
}

function Branch({ value, name, depth }: BranchProps) {
  const entries = Object.entries(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ENTRIES);
  const size = Array.isArray(value)
    ? texts.diff.entriesInAll(entries.length)
    : texts.output.fields(entries.length);
  return (
    <details
      open={open}
      onToggle={(event) => {
        event.stopPropagation();
        setOpen(event.currentTarget.open);
      }}
      className="min-w-0"
    >
      <summary className="flex list-none items-center gap-1.5 rounded-md hover:text-ink pointer-coarse:py-1.5 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={12}
          aria-hidden="true"
          className="shrink-0 text-muted transition-transform duration-150 [[open]>summary>&]:rotate-90"
        />
        <Name name={name} />
        <span className="text-xs text-muted">{size}</span>
      </summary>
      {open && <Entries entries={entries} depth={depth + 1} />}
    </details>
  );
}

interface EntriesProps {
  entries: readonly [string, unknown][];
  depth: number;
}

function Entries({ entries, depth }: EntriesProps) {
  const [shown, setShown] = useState(MOST_AT_ONCE);
  return (
    <div className="mt-0.5 ml-1.5 flex flex-col gap-0.5 border-l border-line pl-2">
      {entries.slice(0, shown).map(([key, item]) => (
        <JsonTree key={key} name={key} value={item} depth={depth} />
      ))}
      {entries.length > shown && (
        <button
          type="button"
          onClick={() => setShown(shown + MOST_AT_ONCE)}
          className="self-start rounded pl-4.5 text-[0.8125rem] font-medium text-accent hover:underline"
        >
          {texts.output.more(entries.length - shown)}
        </button>
      )}
    </div>
  );
}
