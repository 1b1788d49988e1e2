/** The lower end of a card: one view for each state of a proposal. */

import { Ban, CircleX, ClockAlert, type LucideIcon, RefreshCw, Undo2 } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import type { Proposal, ProposalState } from "../api/types";
import { texts } from "../texts";
import { LinkButton, Spinner } from "../ui/button";
import { classes } from "../ui/classes";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { Deciding } from "./deciding";
import type { StatusProps } from "./decision";
import { useCardPath } from "./paths";
import { Receipt } from "./receipt";
import { Resolving } from "./resolving";

const words = texts.card;

export const STATUS_VIEWS: Record<ProposalState, ComponentType<StatusProps>> = {
  proposed: Deciding,
  applying: Applying,
  applied: Receipt,
  failed: Failed,
  outcome_unknown: Resolving,
  declined: Declined,
  expired: () => <Outcome icon={ClockAlert}>{words.expired}</Outcome>,
  voided: ({ proposal: { undoes, error } }) => (
    <Outcome icon={Undo2}>
      {undoes !== null && error?.code === "changed" ? words.undo.movedOn : words.voided}
    </Outcome>
  ),
  superseded: Superseded,
};

interface OutcomeProps {
  icon: LucideIcon;
  tone?: "plain" | "danger";
  /** Where there is more to say than the state's name, which stands in the card's header. */
  title?: string;
  children: ReactNode;
}

function Outcome({ icon: Icon, tone = "plain", title, children }: OutcomeProps) {
  return (
    <div className="flex items-start gap-2.5 px-4 py-3.5 @md:px-5">
      <Icon
        size={16}
        aria-hidden="true"
        className={classes("mt-0.75 shrink-0", tone === "danger" ? "text-danger" : "text-muted")}
      />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-medium">{title}</p>}
        <div className="text-pretty wrap-anywhere text-muted">{children}</div>
      </div>
    </div>
  );
}

function Applying() {
  return (
    <div className="px-4 py-3.5 @md:px-5">
      <div className="flex items-center gap-2.5">
        <Spinner />
        <p className="font-medium">{words.applying}</p>
      </div>
      <div
        role="progressbar"
        aria-label={words.applying}
        className="mt-2.5 h-1 overflow-hidden rounded-full bg-pressed"
      >
        <div className="h-full w-1/3 animate-[glide_1.6s_ease-in-out_infinite] rounded-full bg-accent" />
      </div>
      <p className="mt-2 text-[0.8125rem] text-muted">{words.applyingHint}</p>
    </div>
  );
}

function Failed({ proposal }: StatusProps) {
  const { error } = proposal;
  return (
    <Outcome icon={CircleX} tone="danger" title={words.failed}>
      {error === null ? (
        <p>{words.failedBody}</p>
      ) : (
        <p>
          <Visible text={error.message} />
        </p>
      )}
      {error !== null && error.issues.length > 0 && (
        <ul className="mt-1.5 flex flex-col gap-1">
          {error.issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              <code className="font-mono text-xs text-ink">
                <Visible text={issue.path} />
              </code>{" "}
              <Visible text={issue.message} />
            </li>
          ))}
        </ul>
      )}
      <Said text={proposal.note} />
      <DecidedLine proposal={proposal} />
    </Outcome>
  );
}

interface SaidProps {
  text: string | null;
}

function Said({ text }: SaidProps) {
  if (text === null) return null;
  return (
    <blockquote className="mt-2 border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-ink">
      <Visible text={text} />
    </blockquote>
  );
}

function Declined({ proposal }: StatusProps) {
  return (
    <Outcome icon={Ban}>
      <p>{words.declined}</p>
      <Said text={proposal.declineReason} />
      <DecidedLine proposal={proposal} />
    </Outcome>
  );
}

function Superseded({ proposal: { supersededBy } }: StatusProps) {
  const pathTo = useCardPath();
  return (
    <Outcome icon={RefreshCw} title={words.superseded}>
      <p>{words.supersededBody}</p>
      {supersededBy !== null && (
        <div className="mt-2.5">
          <LinkButton variant="primary" to={pathTo(supersededBy)}>
            {words.toSuccessor}
          </LinkButton>
        </div>
      )}
    </Outcome>
  );
}

interface DecidedLineProps {
  proposal: Proposal;
}

export function DecidedLine({ proposal: { decider, decidedAt } }: DecidedLineProps) {
  if (decider === null) return null;
  return (
    <p className="mt-1.5 text-[0.8125rem]">
      {words.decidedBy}{" "}
      <span className="text-ink">
        <Visible text={decider.name} />
      </span>
      {decidedAt !== null && (
        <>
          , <Time value={decidedAt} />
        </>
      )}
    </p>
  );
}
