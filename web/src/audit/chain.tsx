/** Whether the log is as it was written, in words, and the way to find out. */

import { LockKeyhole, type LucideIcon, ShieldAlert, ShieldCheck, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { describeFailure } from "../api/failure";
import type { AuditFinding } from "../api/types";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { Card } from "../ui/page";
import { Time } from "../ui/time";
import type { Chain, Verification } from "./verification";

const words = texts.audit.chain;
const SHOWN = 10;

interface ChainCardProps {
  chain: Chain | null;
  onVerify: () => void;
  onStop: () => void;
}

type Of<State extends Chain["state"]> = Extract<Chain, { state: State }>;

interface Look {
  icon: LucideIcon;
  tile: string;
  title: string;
  body: ReactNode;
  offers: "verify" | "again" | "stop" | null;
}

const PLAIN = "bg-hover text-muted";
const GOOD = "bg-accent-soft text-on-accent-soft";
const BAD = "bg-danger-soft text-on-danger-soft";

const LOOKS: { [State in Chain["state"]]: (chain: Of<State>) => Look } = {
  empty: ({ unsealed }) => ({
    icon: LockKeyhole,
    tile: PLAIN,
    title: words.emptyTitle,
    body: (
      <>
        {words.emptyBody} <Unsealed count={unsealed} />
      </>
    ),
    offers: null,
  }),
  idle: ({ last, unsealed }) => ({
    icon: LockKeyhole,
    tile: PLAIN,
    title: words.idleTitle(last),
    body: (
      <>
        {words.idleBody} <Unsealed count={unsealed} />
      </>
    ),
    offers: "verify",
  }),
  running: ({ last, through }) => ({
    icon: LockKeyhole,
    tile: PLAIN,
    title: words.runningTitle,
    body: <Progress last={last} through={through} />,
    offers: "stop",
  }),
  sound: ({ found, unsealed }) => ({
    icon: ShieldCheck,
    tile: GOOD,
    title: words.soundTitle(found.through),
    body: <Sound found={found} unsealed={unsealed} />,
    offers: "again",
  }),
  broken: ({ found }) => ({
    icon: ShieldAlert,
    tile: BAD,
    title: words.brokenTitle,
    body: <Broken found={found} />,
    offers: "again",
  }),
  failed: ({ error }) => ({
    icon: Unplug,
    tile: BAD,
    title: words.failedTitle,
    body: describeFailure(error),
    offers: "again",
  }),
};

function lookOf(chain: Chain): Look {
  return (LOOKS[chain.state] as (chain: Chain) => Look)(chain);
}

export function ChainCard({ chain, onVerify, onStop }: ChainCardProps) {
  return (
    <Card className="mb-5 min-h-16">
      <section
        aria-label={words.label}
        className="flex flex-wrap items-start gap-x-3 gap-y-2 p-3.5"
      >
        {chain === null ? (
          <Waiting />
        ) : (
          <Shown look={lookOf(chain)} onVerify={onVerify} onStop={onStop} />
        )}
      </section>
    </Card>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label={texts.states.loading} className="flex items-center gap-3">
      <span className="skeleton size-9 rounded-lg" />
      <span className="flex flex-col gap-2">
        <span className="skeleton h-3.5 w-56" />
        <span className="skeleton h-3 w-40" />
      </span>
    </div>
  );
}

interface ShownProps {
  look: Look;
  onVerify: () => void;
  onStop: () => void;
}

function Shown({ look: { icon: Icon, tile, title, body, offers }, onVerify, onStop }: ShownProps) {
  return (
    <>
      <span
        className={classes("flex size-9 shrink-0 items-center justify-center rounded-lg", tile)}
      >
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div role="status" className="min-w-0 flex-1 basis-56">
        <h2 className="font-medium text-pretty">{title}</h2>
        <div className="text-[0.8125rem] text-pretty text-muted">{body}</div>
      </div>
      {offers !== null && (
        <Button
          size="small"
          onClick={offers === "stop" ? onStop : onVerify}
          className="max-sm:ml-12 sm:mt-1"
        >
          {words[offers]}
        </Button>
      )}
    </>
  );
}

interface UnsealedProps {
  count: number;
}

function Unsealed({ count }: UnsealedProps) {
  if (count === 0) return null;
  return (
    <>
      {words.unsealed(count)} {words.late}
    </>
  );
}

interface ProgressProps {
  last: number;
  through: number;
}

function Progress({ last, through }: ProgressProps) {
  return (
    <div className="mt-1 flex items-center gap-3">
      <progress
        aria-label={words.runningTitle}
        max={Math.max(last, 1)}
        value={through}
        className="h-1.5 min-w-0 max-w-64 flex-1 appearance-none overflow-hidden rounded-full bg-pressed [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
      />
      <span className="tabular-nums">{words.runningBody(through, last)}</span>
    </div>
  );
}

interface SoundProps {
  found: Verification;
  unsealed: number;
}

function Sound({ found, unsealed }: SoundProps) {
  return (
    <>
      <p>
        {words.soundBody(found.heads)} <Time value={found.checkedAt} />
        {found.throughAt !== null && (
          <>
            {", "}
            {words.through} <Time value={found.throughAt} exact />
          </>
        )}
        .
      </p>
      {unsealed > 0 && <p>{words.unsealed(unsealed)}</p>}
    </>
  );
}

interface BrokenProps {
  found: Verification;
}

function Broken({ found: { findings, faults } }: BrokenProps) {
  const hidden = faults - Math.min(findings.length, SHOWN);
  return (
    <>
      <ul className="mt-1.5 mb-2 flex flex-col gap-1.5 text-ink">
        {findings.slice(0, SHOWN).map((finding) => (
          <Finding key={`${finding.fault} ${finding.first} ${finding.message}`} finding={finding} />
        ))}
      </ul>
      {hidden > 0 && <p className="mb-2">{words.more(hidden)}</p>}
      <p>{words.brokenBody(faults)}</p>
    </>
  );
}

interface FindingProps {
  finding: AuditFinding;
}

function Finding({ finding }: FindingProps) {
  return (
    <li className="flex gap-2">
      <span aria-hidden="true" className="mt-2 size-1.5 shrink-0 rounded-full bg-danger" />
      <span className="wrap-anywhere">{finding.message}</span>
    </li>
  );
}
