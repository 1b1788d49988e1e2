/** A proposal in a chat: the card as everywhere, always as it stands now. */

import { useEffect, useRef } from "react";
import { Problem } from "../api/problem";
import type { Proposal } from "../api/types";
import { ConfirmCard } from "../proposals/card";
import { useDecision } from "../proposals/use-decision";
import { OPEN, useProposal } from "../proposals/use-proposal";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Visible } from "../values/visible";
import type { ProposalData } from "./message";

interface ProposalPartProps {
  data: ProposalData;
  /** It was open here, and is no longer: the assistant reacts. */
  onDecided: (proposalId: string) => void;
}

export function ProposalPart({ data, onDecided }: ProposalPartProps) {
  const query = useProposal(data.proposalId);
  if (query.data !== undefined) return <Followed proposal={query.data} onDecided={onDecided} />;
  if (query.error === null) return <Placeholder data={data} />;
  const gone = query.error instanceof Problem && query.error.status === 404;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3.5 text-muted">
      <p className="min-w-0 flex-1">
        <Visible text={data.summary} />: {texts.chat.proposalGone}
      </p>
      {!gone && <Button onClick={() => void query.refetch()}>{texts.actions.retry}</Button>}
    </div>
  );
}

/** As high as a card that is over, which most are. */
function Placeholder({ data }: Pick<ProposalPartProps, "data">) {
  return (
    <div className="flex min-h-18 items-start gap-3 rounded-xl border border-line bg-raised p-4 shadow-soft">
      <span className="skeleton size-8 shrink-0" />
      <p className="font-semibold">
        <Visible text={data.summary} />
      </p>
    </div>
  );
}

interface FollowedProps {
  proposal: Proposal;
  onDecided: (proposalId: string) => void;
}

function Followed({ proposal, onDecided }: FollowedProps) {
  const decision = useDecision(proposal);
  const open = OPEN.has(proposal.state);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open) onDecided(proposal.id);
    wasOpen.current = open;
  }, [open, proposal.id, onDecided]);
  return <ConfirmCard proposal={proposal} decision={decision} compact />;
}
