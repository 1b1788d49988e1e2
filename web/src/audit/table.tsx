/** Audit entries in a table; each opens with all that is known of it. */

import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import type { AuditEntry } from "../api/types";
import { texts } from "../texts";
import { DottedName } from "../ui/dotted-name";
import { type Column, Table } from "../ui/table";
import { Time } from "../ui/time";
import { Tooltip } from "../ui/tooltip";
import { Visible } from "../values/visible";
import { EffectWord, StatusBadge, wordFor } from "./marks";

const words = texts.audit;

interface AuditTableProps {
  entries: readonly AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
}

export function AuditTable({ entries, onOpen }: AuditTableProps) {
  return <Table label={words.title} rows={entries} columns={columnsFor(onOpen)} />;
}

function columnsFor(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: "action",
      label: words.action,
      className: "w-full max-w-0",
      cell: (entry) => <Action entry={entry} onOpen={() => onOpen(entry)} />,
    },
    {
      key: "actor",
      label: words.actor,
      from: "tablet",
      cell: (entry) => <Who entry={entry} />,
    },
    {
      key: "status",
      label: words.status,
      from: "tablet",
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: "time",
      label: words.time,
      from: "tablet",
      className: "text-muted tabular-nums",
      cell: ({ occurredAt }) => <Time value={occurredAt} exact />,
    },
    {
      key: "seal",
      label: words.seal,
      actions: true,
      cell: ({ sealed }) => <Seal sealed={sealed} />,
    },
  ];
}

interface ActionProps {
  entry: AuditEntry;
  onOpen: () => void;
}

function Action({ entry, onOpen }: ActionProps) {
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={words.open(entry.action)}
        onClick={onOpen}
        className="text-left font-mono text-[0.8125rem] wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <DottedName name={entry.action} />
      </button>
      <p className="text-[0.8125rem] text-muted">
        {wordFor(words.edges, entry.edge)}
        {" · "}
        <EffectWord effect={entry.effect} />
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted @[40rem]:hidden">
        <StatusBadge status={entry.status} />
        <Who entry={entry} />
        <Time value={entry.occurredAt} exact />
      </div>
    </div>
  );
}

interface WhoProps {
  entry: AuditEntry;
}

function Who({ entry: { actor, decider } }: WhoProps) {
  return (
    <div className="max-w-52 min-w-0">
      <p className="truncate">
        <Visible text={actor.name} />
      </p>
      {decider !== null && (
        <p className="truncate text-[0.8125rem] text-muted">
          {words.decider} <Visible text={decider.name} />
        </p>
      )}
    </div>
  );
}

interface SealProps {
  sealed: boolean;
}

function Seal({ sealed }: SealProps) {
  const Icon = sealed ? LockKeyhole : LockKeyholeOpen;
  const label = sealed ? words.sealed : words.unsealed;
  return (
    <Tooltip label={label}>
      <span
        role="img"
        aria-label={label}
        className="inline-flex size-7 items-center justify-center text-faint"
      >
        <Icon size={15} aria-hidden="true" />
      </span>
    </Tooltip>
  );
}
