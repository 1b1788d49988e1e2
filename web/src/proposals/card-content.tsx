/** What a card is about: the reason, the preview, and always the complete arguments. */

import { ChevronRight, CircleMinus, History } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Proposal, ProposalState } from "../api/types";
import { texts } from "../texts";
import { ShortHash } from "../ui/short-hash";
import { DiffView } from "../values/diff-view";
import { Fields } from "../values/value-view";
import { Visible } from "../values/visible";
import { annotateWith, RedNotice } from "./origins";
import { useCardPath } from "./paths";
import { Undoes } from "./undo";
import { Why } from "./why";

const words = texts.card;
const BEGUN: ReadonlySet<ProposalState> = new Set([
  "applying",
  "applied",
  "failed",
  "outcome_unknown",
]);

interface ContentProps {
  proposal: Proposal;
}

/** Begun without anybody's decision, as a conversation may allow. */
export function wentByItself({ state, decider }: Proposal): boolean {
  return decider === null && BEGUN.has(state);
}

interface WholeContentProps extends ContentProps {
  /** The preview is shown already, above. */
  previewed?: boolean;
}

export function Content({ proposal, previewed = false }: WholeContentProps) {
  return (
    <div className="flex flex-col gap-4 px-4 pb-4 @md:px-5">
      {proposal.supersedes !== null && <Supersedes id={proposal.supersedes} />}
      {proposal.undoes !== null && <Undoes id={proposal.undoes} />}
      <Why proposal={proposal} byItself={wentByItself(proposal)} />
      <RedNotice proposal={proposal} />
      {!previewed && <Preview proposal={proposal} />}
      <Arguments proposal={proposal} />
    </div>
  );
}

interface SupersedesProps {
  id: string;
}

function Supersedes({ id }: SupersedesProps) {
  const pathTo = useCardPath();
  return (
    <p className="flex items-start gap-2 rounded-lg bg-caution-soft px-3 py-2 text-[0.8125rem] text-on-caution-soft">
      <History size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span className="text-pretty">
        {words.supersedes}{" "}
        <Link to={pathTo(id)} className="font-medium underline underline-offset-2">
          {words.toPredecessor}
        </Link>
      </span>
    </p>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <section>
      <h3 className="mb-2 text-xs font-medium text-muted">{title}</h3>
      {children}
    </section>
  );
}

export function Preview({ proposal: { removes, creates, diff } }: ContentProps) {
  return (
    <>
      {removes.length > 0 && (
        <Part title={words.removes}>
          <Removes names={removes} />
        </Part>
      )}
      {diff.length > 0 && (
        <Part title={words.changes}>
          <DiffView changes={diff} />
        </Part>
      )}
      {creates !== null && (
        <Part title={words.creates}>
          <div className="rounded-lg border border-line px-3 py-2.5">
            <Fields object={creates} />
          </div>
        </Part>
      )}
    </>
  );
}

interface RemovesProps {
  names: readonly string[];
}

function Removes({ names }: RemovesProps) {
  return (
    <ul className="flex flex-col gap-1 rounded-lg bg-danger-soft px-3 py-2.5 text-on-danger-soft">
      {names.map((name) => (
        <li key={name} className="flex min-w-0 items-start gap-2">
          <CircleMinus size={15} aria-hidden="true" className="mt-0.75 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            <Visible text={name} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Folded only beside a preview, and never when data would leave: then they are what one decides about. */
function Arguments({ proposal }: ContentProps) {
  const { diff, creates, removes, egress, payload, isRed } = proposal;
  const previewed = diff.length > 0 || creates !== null || removes.length > 0;
  return (
    <details open={!previewed || egress || isRed || payload === null} className="group">
      <summary className="-ml-1 inline-flex list-none items-center gap-1 rounded-md pr-2 pl-1 text-xs font-medium text-muted hover:text-ink pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="transition-transform duration-150 group-open:rotate-90"
        />
        {words.arguments}
      </summary>
      <div className="mt-2 rounded-lg border border-line px-3 py-2.5">
        <Payload proposal={proposal} />
      </div>
      <Fingerprint hash={proposal.payloadHash} />
    </details>
  );
}

function Payload({ proposal }: ContentProps) {
  const { payload } = proposal;
  if (payload === null) return <p className="text-danger">{words.altered}</p>;
  if (Object.keys(payload).length === 0) return <p className="text-muted">{words.noArguments}</p>;
  return <Fields object={payload} annotate={annotateWith(proposal)} />;
}

interface FingerprintProps {
  hash: string;
}

function Fingerprint({ hash }: FingerprintProps) {
  return (
    <p className="mt-2 flex items-center gap-2 text-xs text-muted">
      <span title={words.fingerprintHint}>{words.fingerprint}</span>
      <ShortHash hash={hash} label={words.copyFingerprint} />
    </p>
  );
}
