/** What was applied, who decided, and what came of it. */

import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts";
import { formatExact } from "../time/format";
import { ShortHash } from "../ui/short-hash";
import { LongText } from "../values/long-text";
import { ValueView } from "../values/value-view";
import { Visible } from "../values/visible";
import type { StatusProps } from "./decision";
import { Undo } from "./undo";

const words = texts.card;

interface ReceiptProps extends StatusProps {
  /** Undo is offered above already. */
  undoShown?: boolean;
}

export function Receipt({ proposal, decision, undoShown = false }: ReceiptProps) {
  const { decider, note, result, payloadHash } = proposal;
  const at = proposal.finishedAt ?? proposal.decidedAt;
  return (
    <div className="rounded-b-xl bg-[color-mix(in_oklab,var(--color-accent-soft)_45%,transparent)] px-4 py-3.5 @md:px-5">
      <div className="flex items-center gap-2.5">
        <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent">
          <Check size={14} strokeWidth={2.5} aria-hidden="true" />
        </span>
        <div>
          <p className="font-medium">{words.applied}</p>
        </div>
        <p className="ml-auto text-right text-[0.8125rem] text-muted">
          {at !== null && <time dateTime={at}>{formatExact(at)}</time>}
        </p>
      </div>
      <dl className="mt-3 flex flex-col gap-1.5 border-t border-dashed border-line-strong pt-3">
        {decider !== null && (
          <Line label={words.decidedBy}>
            <Visible text={decider.name} />
          </Line>
        )}
        {note !== null && (
          <Line label={words.note}>
            <LongText text={note} />
          </Line>
        )}
        <Line label={words.fingerprint}>
          <ShortHash hash={payloadHash} label={words.copyFingerprint} />
        </Line>
        {result !== null && result !== undefined && (
          <Line label={words.result}>
            <ValueView value={result} depth={1} />
          </Line>
        )}
      </dl>
      {!undoShown && <Undo proposal={proposal} decision={decision} />}
    </div>
  );
}

interface LineProps {
  label: string;
  children: ReactNode;
}

function Line({ label, children }: LineProps) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 @md:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-[0.8125rem] leading-5.25 text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
