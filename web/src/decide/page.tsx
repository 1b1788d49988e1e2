/** One change on a page of its own, for somebody whom a program has sent here to decide. */

import { FileQuestion } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useParams } from "react-router";
import { Problem } from "../api/problem";
import type { Proposal } from "../api/types";
import { LiveProvider } from "../live/live";
import { nameProgram } from "../proposals/asker";
import { ConfirmCard, OVER, useShownState } from "../proposals/card";
import { CardPathContext, decidePath } from "../proposals/paths";
import { useDecision } from "../proposals/use-decision";
import { useProposal } from "../proposals/use-proposal";
import { Account } from "../session/account";
import { RequireSession } from "../session/require-session";
import { LonePage } from "../shell/lone-page";
import { OfflineBar } from "../shell/offline-bar";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Loaded } from "../ui/loaded";
import { Card } from "../ui/page";
import { Notice, SkeletonRows } from "../ui/states";
import { Visible } from "../values/visible";
import { Asker } from "./asker";

const words = texts.decide;

export function DecidePage() {
  return (
    <RequireSession>
      <LiveProvider>
        <OfflineBar />
        <CardPathContext value={decidePath}>
          <LonePage title={words.title} width="text">
            <Deciding />
          </LonePage>
        </CardPathContext>
      </LiveProvider>
    </RequireSession>
  );
}

function Deciding() {
  const { proposalId = "" } = useParams();
  const query = useProposal(proposalId);
  const missing = query.error instanceof Problem && query.error.status === 404;
  if (query.data === undefined && missing) return <NotForYou />;
  return (
    <Loaded query={query} loading={<Waiting />}>
      {(proposal) => <Followed key={proposal.id} proposal={proposal} />}
    </Loaded>
  );
}

function Waiting() {
  return (
    <Card>
      <SkeletonRows />
    </Card>
  );
}

/** Somebody else's looks like none; with the right account it may be there. */
function NotForYou() {
  return (
    <Card className="divide-y divide-line">
      <Notice on="page" icon={FileQuestion} title={texts.states.missingTitle}>
        {words.missing}
      </Notice>
      <div className="px-4 py-4 sm:px-5">
        <Account />
      </div>
    </Card>
  );
}

interface FollowedProps {
  proposal: Proposal;
}

/** From one card to the next the keyboard and the screen reader begin at the top. */
function useStartAtHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
  }, []);
  return heading;
}

function Followed({ proposal }: FollowedProps) {
  const decision = useDecision(proposal);
  const state = useShownState(proposal);
  const heading = useStartAtHeading();
  const waitsForOthers = state === "proposed" && !proposal.mayDecide && !proposal.mayDecline;
  return (
    <div className="flex flex-col gap-5">
      <h1
        ref={heading}
        tabIndex={-1}
        className="text-xl font-semibold tracking-tight outline-none!"
      >
        {waitsForOthers ? words.others : words.headings[state]}
      </h1>
      <Card className="grid divide-line max-sm:divide-y sm:grid-cols-2 sm:divide-x">
        <Part title={words.asks}>
          <Asker proposal={proposal} />
        </Part>
        <Part title={words.decides}>
          <Account />
        </Part>
      </Card>
      <ConfirmCard proposal={proposal} decision={decision} />
      <div role="status" className="empty:hidden">
        {OVER.has(state) && state !== "superseded" && <WayBack proposal={proposal} />}
      </div>
    </div>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}

function Part({ title, children }: PartProps) {
  return (
    <section aria-label={title} className="min-w-0 px-4 py-3.5 sm:px-5">
      <h2 className="mb-2 text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}

function WayBack({ proposal }: FollowedProps) {
  const program = nameProgram(proposal);
  return (
    <Banner tone={proposal.state === "applied" ? "good" : "plain"}>
      <Visible text={program === null ? words.close : words.goBack(program)} />
    </Banner>
  );
}
