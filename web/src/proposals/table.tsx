/** Proposals in a table, the newest first. */

import type { ProposalLine } from "../api/types";
import { texts } from "../texts";
import { formatRoughlyLeft, secondsUntil } from "../time/countdown";
import { useServerNow } from "../time/use-server-now";
import { type Column, Table } from "../ui/table";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { describeAsker, nameAsker } from "./asker";
import { StateBadge } from "./marks";
import { ProposalShort } from "./short";

const words = texts.proposals;
const REFRESH_MS = 10_000;

const COLUMNS: Column<ProposalLine>[] = [
  {
    key: "what",
    label: words.what,
    className: "w-full max-w-0",
    cell: (proposal) => <What proposal={proposal} />,
  },
  {
    key: "by",
    label: words.by,
    from: "desktop",
    cell: (proposal) => <Proposer proposal={proposal} />,
  },
  {
    key: "state",
    label: words.state,
    from: "tablet",
    cell: (proposal) => <Standing proposal={proposal} />,
  },
  {
    key: "when",
    label: words.when,
    from: "tablet",
    className: "text-muted",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];

interface ProposalTableProps {
  proposals: readonly ProposalLine[];
}

export function ProposalTable({ proposals }: ProposalTableProps) {
  return <Table label={words.title} rows={proposals} columns={COLUMNS} />;
}

interface CellProps {
  proposal: ProposalLine;
}

function What({ proposal }: CellProps) {
  const { createdAt, edge } = proposal;
  return (
    <ProposalShort line={proposal} fillsRow>
      <p className="mt-1 text-[0.8125rem] text-muted @[44rem]:hidden">
        <Visible text={describeAsker(proposal)} /> · {words.edges[edge]}
        <span className="@[40rem]:hidden">
          {" · "}
          <Time value={createdAt} />
        </span>
      </p>
      <div className="mt-1.5 @[40rem]:hidden">
        <Standing proposal={proposal} />
      </div>
    </ProposalShort>
  );
}

function Proposer({ proposal }: CellProps) {
  const { edge, client } = proposal;
  return (
    <div className="max-w-48">
      <p className="truncate">
        <Visible text={nameAsker(proposal)} />
      </p>
      <p className="truncate text-[0.8125rem] text-muted">
        {words.edges[edge]}
        {client !== null && (
          <>
            {" · "}
            <Visible text={texts.decide.via(client.name)} />
          </>
        )}
      </p>
    </div>
  );
}

function Standing({ proposal }: CellProps) {
  const seconds = secondsUntil(proposal.expiresAt, useServerNow(REFRESH_MS));
  if (proposal.state !== "proposed") return <StateBadge state={proposal.state} />;
  if (seconds === 0) return <StateBadge state="expired" />;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @[40rem]:flex-col @[40rem]:items-start">
      <StateBadge state="proposed" />
      <span className="text-xs whitespace-nowrap text-muted">
        {proposal.mayDecide ? texts.card.left(formatRoughlyLeft(seconds)) : words.others}
      </span>
    </div>
  );
}
