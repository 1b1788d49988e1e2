/** A card that is over: what it was and what came of it, with everything else folded. */

import { ChevronRight } from "lucide-react";
import { type ReactNode, type RefObject, useState } from "react";
import type { Proposal, ProposalState } from "../api/types";
import { texts } from "../texts";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { Content, Preview, wentByItself } from "./card-content";
import { DecidedLine, STATUS_VIEWS } from "./card-status";
import type { StatusProps } from "./decision";
import { FailureBanner } from "./failure-banner";
import { EffectTile, StateBadge } from "./marks";
import { Receipt } from "./receipt";
import { Undo } from "./undo";

const words = texts.card;

interface FoldedCardProps extends StatusProps {
  state: ProposalState;
  focus: RefObject<HTMLDivElement | null>;
}

/** What was applied without asking was seen by nobody before, so its difference stays in view. */
export function FoldedCard({ proposal, state, decision, focus }: FoldedCardProps) {
  const StatusView = STATUS_VIEWS[state];
  const unseen = wentByItself(proposal);
  const applied = state === "applied";
  return (
    <>
      <header className="flex items-start gap-3 px-4 pt-3.5 @md:px-5">
        <EffectTile effect={proposal.effect} egress={proposal.egress} />
        <div ref={focus} tabIndex={-1} className="min-w-0 flex-1 outline-none!">
          <h2 className="leading-6 font-semibold tracking-tight text-pretty wrap-anywhere">
            <Visible text={proposal.summary} />
          </h2>
          {applied && <AppliedLine proposal={proposal} />}
        </div>
        <StateBadge state={state} />
      </header>
      {decision.failure !== null && (
        <FailureBanner failure={decision.failure} state={state} onAgain={decision.again} />
      )}
      {unseen && (
        <div className="flex flex-col gap-4 px-4 pt-3 @md:px-5">
          <Preview proposal={proposal} />
        </div>
      )}
      {applied ? (
        <div className="px-4 empty:hidden @md:px-5">
          <Undo proposal={proposal} decision={decision} />
        </div>
      ) : (
        <StatusView proposal={proposal} decision={decision} />
      )}
      <Details>
        <Content proposal={proposal} previewed={unseen} />
        {applied && (
          <div className="border-t border-line">
            <Receipt proposal={proposal} decision={decision} undoShown />
          </div>
        )}
      </Details>
    </>
  );
}

interface AppliedLineProps {
  proposal: Proposal;
}

function AppliedLine({ proposal }: AppliedLineProps) {
  if (proposal.decider !== null) {
    return (
      <div className="-mt-1 text-muted">
        <DecidedLine proposal={proposal} />
      </div>
    );
  }
  return (
    <p className="text-[0.8125rem] text-muted">
      {words.atOnce}
      {proposal.finishedAt !== null && (
        <>
          , <Time value={proposal.finishedAt} />
        </>
      )}
    </p>
  );
}

interface DetailsProps {
  children: ReactNode;
}

/** What is folded is not even made. */
function Details({ children }: DetailsProps) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="mx-4 mt-1 mb-2.5 inline-flex list-none items-center gap-1 rounded-md pr-2 text-xs font-medium text-muted hover:text-ink @md:mx-5 pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="-ml-0.5 transition-transform duration-150 [[open]>summary>&]:rotate-90"
        />
        {words.details}
      </summary>
      {open && children}
    </details>
  );
}
