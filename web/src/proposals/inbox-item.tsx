/** One thing that waits: in short, and on demand as its whole card. */

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Proposal, ProposalLine } from "../api/types";
import { texts } from "../texts";
import { formatRoughlyLeft, secondsUntil } from "../time/countdown";
import { useServerNow } from "../time/use-server-now";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { Loaded } from "../ui/loaded";
import { Tick } from "../ui/tick";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { describeAsker } from "./asker";
import { whyAlone } from "./batch";
import { ConfirmCard } from "./card";
import { ProposalShort } from "./short";
import { useDecision } from "./use-decision";
import { useProposal } from "./use-proposal";

const words = texts.inbox;
const REFRESH_MS = 10_000;

interface InboxItemProps {
  line: ProposalLine;
  choosable: boolean;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

export function InboxItem({ line, choosable, chosen, onChoose }: InboxItemProps) {
  const [open, setOpen] = useState(false);
  const alone = whyAlone(line);
  return (
    <li className="px-2 py-2.5 @container">
      <div className="flex items-start gap-1">
        {choosable && (
          <Tick
            checked={chosen}
            implied={alone !== null}
            onChange={onChoose}
            className="mt-1.5 shrink-0 rounded-lg px-2 py-2"
          >
            <span className="sr-only">{words.choose(line.summary)}</span>
          </Tick>
        )}
        <div className="flex min-w-0 flex-1 py-0.5 pl-1">
          <ProposalShort line={line}>
            <Waits line={line} alone={choosable ? alone : null} />
          </ProposalShort>
        </div>
        <IconButton
          label={open ? words.close : words.open}
          icon={ChevronRight}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classes(
            "mt-1 [&_svg]:transition-transform [&_svg]:duration-150",
            open && "[&_svg]:rotate-90",
          )}
        />
      </div>
      {open && (
        <div className="mt-2 px-1">
          <OpenCard id={line.id} />
        </div>
      )}
    </li>
  );
}

interface WaitsProps {
  line: ProposalLine;
  alone: string | null;
}

function Waits({ line, alone }: WaitsProps) {
  const { edge, createdAt, approvals } = line;
  const seconds = secondsUntil(line.expiresAt, useServerNow(REFRESH_MS));
  const counted = approvals?.given.filter(({ counts }) => counts).length ?? 0;
  return (
    <div className="mt-0.5 flex flex-col gap-0.5 text-[0.8125rem] text-pretty text-muted">
      <p>
        <Visible text={describeAsker(line)} /> · {texts.proposals.edges[edge]} ·{" "}
        <Time value={createdAt} /> · {texts.card.left(formatRoughlyLeft(seconds))}
      </p>
      {approvals !== null && <p>{texts.card.approvals.given(counted, approvals.needed)}</p>}
      {alone !== null && <p>{alone}</p>}
    </div>
  );
}

interface OpenCardProps {
  id: string;
}

function OpenCard({ id }: OpenCardProps) {
  const query = useProposal(id);
  return <Loaded query={query}>{(proposal) => <Followed proposal={proposal} />}</Loaded>;
}

interface FollowedProps {
  proposal: Proposal;
}

function Followed({ proposal }: FollowedProps) {
  return <ConfirmCard proposal={proposal} decision={useDecision(proposal)} />;
}
