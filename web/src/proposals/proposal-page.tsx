/** One proposal on a page of its own, followed until it is over. */

import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "react-router";
import type { Proposal } from "../api/types";
import { texts } from "../texts";
import { Loaded } from "../ui/loaded";
import { Page, PageSkeleton } from "../ui/page";
import { ConfirmCard } from "./card";
import { PROPOSALS_PATH } from "./paths";
import { useDecision } from "./use-decision";
import { useProposal } from "./use-proposal";

export function ProposalPage() {
  const { proposalId = "" } = useParams();
  const query = useProposal(proposalId);
  return (
    <Loaded query={query} loading={<PageSkeleton />}>
      {(proposal) => <Followed key={proposal.id} proposal={proposal} />}
    </Loaded>
  );
}

interface FollowedProps {
  proposal: Proposal;
}

function Followed({ proposal }: FollowedProps) {
  const decision = useDecision(proposal);
  return (
    <Page title={proposal.title} above={<WayBack />} width="text">
      <ConfirmCard proposal={proposal} decision={decision} />
    </Page>
  );
}

function WayBack() {
  return (
    <Link
      to={PROPOSALS_PATH}
      className="mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-[0.8125rem] text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden="true" />
      {texts.proposals.title}
    </Link>
  );
}
