/**
 * A proposal as a card: what would change, why a person is asked, and the decision.
 *
 * It shows and calls back; reading and sending are done by whoever shows it, on a page or in a chat.
 */

import { useEffect, useRef } from "react";
import type { Proposal, ProposalState } from "../api/types";
import { texts } from "../texts";
import { useIsPast } from "../time/use-server-now";
import { classes } from "../ui/classes";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { describeAsker } from "./asker";
import { Content } from "./card-content";
import { STATUS_VIEWS } from "./card-status";
import type { Decision } from "./decision";
import { FailureBanner } from "./failure-banner";
import { FoldedCard } from "./folded-card";
import { EffectBadges, EffectTile, StateBadge } from "./marks";

interface ConfirmCardProps {
  proposal: Proposal;
  decision: Decision;
  /** In a chat: what is over folds. */
  compact?: boolean;
}

/** The deadline holds even before the server has marked the proposal. */
export function useShownState(proposal: Proposal): ProposalState {
  const past = useIsPast(proposal.expiresAt);
  return proposal.state === "proposed" && past ? "expired" : proposal.state;
}

/** When the pressed button goes away with its state, the keyboard goes on at what came instead. */
function useFocusOnNewState(state: ProposalState) {
  const status = useRef<HTMLDivElement>(null);
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current === state) return;
    shown.current = state;
    if (document.activeElement === document.body) {
      status.current?.focus({ preventScroll: true });
    }
  }, [state]);
  return status;
}

/** Once it is over there is nothing to weigh any more, and what came of it says enough. */
export const OVER: ReadonlySet<ProposalState> = new Set([
  "applied",
  "failed",
  "declined",
  "expired",
  "voided",
  "superseded",
]);

export function ConfirmCard({ proposal, decision, compact = false }: ConfirmCardProps) {
  const state = useShownState(proposal);
  const status = useFocusOnNewState(state);
  const StatusView = STATUS_VIEWS[state];
  const folded = compact && OVER.has(state);
  const dangerous = proposal.effect === "destructive" || proposal.isRed;
  const endangers = dangerous && state === "proposed";
  return (
    <article
      aria-label={proposal.summary}
      className={classes(
        "@container rounded-xl border bg-raised shadow-soft",
        endangers ? "border-danger/40" : "border-line",
      )}
    >
      {folded ? (
        <FoldedCard proposal={proposal} state={state} decision={decision} focus={status} />
      ) : (
        <>
          <Heading proposal={proposal} state={state} />
          <Content proposal={proposal} />
          <div ref={status} tabIndex={-1} className="border-t border-line outline-none!">
            {decision.failure !== null && (
              <FailureBanner failure={decision.failure} state={state} onAgain={decision.again} />
            )}
            <StatusView proposal={proposal} decision={decision} />
          </div>
        </>
      )}
      <p role="status" className="sr-only">
        {texts.proposals.states[state]}
      </p>
    </article>
  );
}

interface HeadingProps {
  proposal: Proposal;
  state: ProposalState;
}

function Heading({ proposal, state }: HeadingProps) {
  const { effect, egress, isRed, summary, edge, createdAt } = proposal;
  return (
    <header className="flex items-start gap-3 px-4 pt-4 pb-4 @md:px-5">
      <EffectTile effect={effect} egress={egress} />
      <div className="min-w-0 flex-1">
        <h2 className="text-base leading-6 font-semibold tracking-tight text-pretty wrap-anywhere">
          <Visible text={summary} />
        </h2>
        <p className="mt-0.5 text-[0.8125rem] text-pretty text-muted">
          {texts.card.proposedBy}{" "}
          <span className="font-medium text-ink">
            <Visible text={describeAsker(proposal)} />
          </span>{" "}
          {texts.card.through[edge]}, <Time value={createdAt} />
        </p>
        <p className="mt-2 flex flex-wrap gap-1.5">
          <StateBadge state={state} />
          <EffectBadges effect={effect} egress={egress} isRed={isRed} />
        </p>
      </div>
    </header>
  );
}
