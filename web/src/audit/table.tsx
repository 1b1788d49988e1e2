/** Audit entries in a table. */

import { ArrowUpRight, LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { Link } from "react-router";
import type { AuditEntry, AuditStatus, Effect } from "../api/types";
import { proposalPath } from "../proposals/paths";
import { texts } from "../texts";
import { formatExact } from "../time/format";
import { Badge, type BadgeTone } from "../ui/badge";
import { ShortHash } from "../ui/short-hash";
import { type Column, Table } from "../ui/table";
import { Tooltip } from "../ui/tooltip";
import { Visible } from "../values/visible";

const words = texts.audit;

const STATUS_TONES: Record<AuditStatus, BadgeTone> = {
  executed: "accent",
  applied: "accent",
  refused: "caution",
  proposed: "plain",
  approved: "plain",
  applying: "plain",
  declined: "plain",
  expired: "plain",
  voided: "plain",
  superseded: "plain",
  failed: "danger",
  outcome_unknown: "danger",
};

/** A newer server beside this page may write words that it does not know yet. */
function wordFor(known: Record<string, string>, name: string): string {
  return Object.hasOwn(known, name) ? (known[name] ?? name) : name;
}

function toneOf(status: string): BadgeTone {
  return Object.hasOwn(STATUS_TONES, status) ? STATUS_TONES[status as AuditStatus] : "plain";
}

const EFFECT_LOOKS: Record<Effect, string> = {
  read: "text-muted",
  mutate: "",
  destructive: "font-medium text-danger",
};

const COLUMNS: Column<AuditEntry>[] = [
  {
    key: "time",
    label: words.time,
    from: "tablet",
    className: "whitespace-nowrap text-muted",
    cell: ({ occurredAt }) => <time dateTime={occurredAt}>{formatExact(occurredAt)}</time>,
  },
  {
    key: "action",
    label: words.action,
    className: "w-full max-w-0",
    cell: (entry) => <Action entry={entry} />,
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
    key: "hash",
    label: words.hash,
    from: "desktop",
    cell: ({ argumentsHash }) => <Hash hash={argumentsHash} />,
  },
  {
    key: "more",
    label: words.more,
    actions: true,
    cell: (entry) => <Marks entry={entry} />,
  },
];

interface StatusBadgeProps {
  status: string;
}

function StatusBadge({ status }: StatusBadgeProps) {
  return <Badge tone={toneOf(status)}>{wordFor(words.statuses, status)}</Badge>;
}

interface AuditTableProps {
  entries: readonly AuditEntry[];
}

export function AuditTable({ entries }: AuditTableProps) {
  return <Table label={words.title} rows={entries} columns={COLUMNS} />;
}

interface EntryProps {
  entry: AuditEntry;
}

function Action({ entry }: EntryProps) {
  return (
    <div className="min-w-0">
      <p className="font-mono text-[0.8125rem] wrap-anywhere">
        <Visible text={entry.action} />
      </p>
      <p className="text-[0.8125rem] text-muted">
        {wordFor(words.edges, entry.edge)}
        {" · "}
        <span className={EFFECT_LOOKS[entry.effect]}>{words.effects[entry.effect]}</span>
      </p>
      <div className="mt-1 flex flex-col items-start gap-1 text-[0.8125rem] text-muted @[40rem]:hidden">
        <Who entry={entry} />
        <time dateTime={entry.occurredAt}>{formatExact(entry.occurredAt)}</time>
        <span className="flex flex-wrap items-center gap-2">
          <StatusBadge status={entry.status} />
          <Hash hash={entry.argumentsHash} />
        </span>
      </div>
    </div>
  );
}

function Who({ entry: { actor, decider } }: EntryProps) {
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

interface HashProps {
  hash: string;
}

function Hash({ hash }: HashProps) {
  return <ShortHash hash={hash} label={words.copyHash} />;
}

function Marks({ entry: { sealed, proposalId } }: EntryProps) {
  const Icon = sealed ? LockKeyhole : LockKeyholeOpen;
  const label = sealed ? words.sealed : words.unsealed;
  return (
    <span className="inline-flex items-center gap-1">
      {proposalId !== null && (
        <Tooltip label={words.toProposal}>
          <Link
            to={proposalPath(proposalId)}
            aria-label={words.toProposal}
            className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-9"
          >
            <ArrowUpRight size={16} aria-hidden="true" />
          </Link>
        </Tooltip>
      )}
      <Tooltip label={sealed ? words.sealedHint : label}>
        <span
          role="img"
          aria-label={label}
          className="inline-flex size-7 items-center justify-center text-faint"
        >
          <Icon size={15} aria-hidden="true" />
        </span>
      </Tooltip>
    </span>
  );
}
