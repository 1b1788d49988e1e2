/** All that is known of one entry, and the ways from it to what belongs to it. */

import { Filter } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AuditEntry } from "../api/types";
import { chatPath } from "../chat/paths";
import { proposalPath } from "../proposals/paths";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../ui/dialog";
import { Fact, Facts } from "../ui/facts";
import { ShortHash } from "../ui/short-hash";
import { Time } from "../ui/time";
import { Visible } from "../values/visible";
import { EffectWord, StatusBadge, wordFor } from "./marks";

const words = texts.audit;
const facts = texts.audit.details;

interface DetailsProps {
  entry: AuditEntry;
  onNarrow: (name: "who" | "proposal", value: string) => void;
  onClose: () => void;
}

export function EntryDetails({ entry, onNarrow, onClose }: DetailsProps) {
  const { actor, proposalId } = entry;
  return (
    <Dialog open closesOutside onClose={onClose} title={entry.action}>
      <DialogBody>
        <div className="flex flex-wrap items-center gap-2">
          <StatusBadge status={entry.status} />
          <span className="text-muted">
            <Time value={entry.occurredAt} />
          </span>
        </div>
        <Known entry={entry} />
      </DialogBody>
      <DialogFooter>
        {proposalId !== null && (
          <Button icon={Filter} onClick={() => onNarrow("proposal", proposalId)}>
            {facts.onlyProposal}
          </Button>
        )}
        {actor.id !== null && (
          <Button icon={Filter} onClick={() => onNarrow("who", actor.id ?? "")}>
            {facts.onlyActor(actor.name)}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

interface KnownProps {
  entry: AuditEntry;
}

function Known({ entry }: KnownProps) {
  const { position, proposalId, conversationId } = entry;
  return (
    <Facts>
      <Fact label={facts.actor}>
        <Somebody who={entry.actor} />
      </Fact>
      {entry.decider !== null && (
        <Fact label={facts.decider}>
          <Somebody who={entry.decider} />
        </Fact>
      )}
      <Fact label={facts.time}>
        <Time value={entry.occurredAt} exact />
      </Fact>
      <Fact label={facts.edge}>{wordFor(words.edges, entry.edge)}</Fact>
      <Fact label={facts.effect}>
        <EffectWord effect={entry.effect} />
      </Fact>
      {proposalId !== null && (
        <Fact label={facts.proposal}>
          <Way to={proposalPath(proposalId)}>{facts.toProposal}</Way>
        </Fact>
      )}
      {conversationId !== null && (
        <Fact label={facts.conversation}>
          <Way to={chatPath(conversationId)}>{facts.toConversation}</Way>
        </Fact>
      )}
      {entry.runId !== null && (
        <Fact label={facts.run}>
          <Id id={entry.runId} />
        </Fact>
      )}
      <Fact label={facts.hash} wide>
        <ShortHash hash={entry.argumentsHash} label={words.copyHash} whole />
        <p className="text-[0.8125rem] text-muted">{facts.hashHint}</p>
      </Fact>
      <Fact label={facts.id} wide>
        <Id id={entry.id} />
      </Fact>
      <Fact label={facts.place} wide>
        {position === null ? facts.unsealed : facts.sealed(position)}
      </Fact>
    </Facts>
  );
}

interface SomebodyProps {
  who: AuditEntry["actor"];
}

function Somebody({ who }: SomebodyProps) {
  return (
    <>
      <p>
        <Visible text={who.name} />
      </p>
      <p className="text-[0.8125rem] text-muted">{facts.kinds[who.kind]}</p>
    </>
  );
}

interface WayProps {
  to: string;
  children: ReactNode;
}

function Way({ to, children }: WayProps) {
  return (
    <Link to={to} className="font-medium text-accent underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}

interface IdProps {
  id: string;
}

function Id({ id }: IdProps) {
  return <code className="font-mono text-xs">{id}</code>;
}
