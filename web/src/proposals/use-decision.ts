/** Sends a decision: one at a time, with a token that is asked for now and kept nowhere. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  applyProposal,
  declineProposal,
  proposalKey,
  requestToken,
  resolveProposal,
  undoProposal,
} from "../api/proposals";
import type { Proposal } from "../api/types";
import { readAgainAbout } from "../live/apply-event";
import {
  type Decision,
  type DecisionFailure,
  type Deed,
  NotTheSame,
  OUTDATED,
  sortDecisionFailure,
} from "./decision";

async function withToken(
  { id, payloadHash }: Proposal,
  decide: (token: string) => Promise<Proposal>,
): Promise<Proposal> {
  const issued = await requestToken(id);
  if (issued.payloadHash !== payloadHash) throw new NotTheSame();
  return decide(issued.token);
}

function useShow() {
  const client = useQueryClient();
  return {
    show: (decided: Proposal) => {
      client.setQueryData(proposalKey(decided.id), decided);
      readAgainAbout(client, decided.id, decided.state === "applied");
    },
    lookAgain: (id: string) => client.invalidateQueries({ queryKey: proposalKey(id) }),
  };
}

export function useDecision(proposal: Proposal): Decision {
  const { show, lookAgain } = useShow();
  const [busy, setBusy] = useState<Deed | null>(null);
  const [failure, setFailure] = useState<DecisionFailure | null>(null);
  const underWay = useRef(false);
  const last = useRef<() => void>(() => undefined);
  // An earlier try may have arrived though its answer did not: then "decided already" is our own.
  const mayHaveArrived = useRef(false);

  async function fail(error: unknown, deed: Deed): Promise<void> {
    const sorted = sortDecisionFailure(error, deed);
    if (OUTDATED[sorted.kind]) await lookAgain(proposal.id);
    const own = sorted.kind === "elsewhere" && mayHaveArrived.current;
    mayHaveArrived.current = sorted.kind === "unreachable";
    setFailure(own ? null : sorted);
  }

  async function send(deed: Deed, decide: () => Promise<Proposal>): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    last.current = () => void send(deed, decide);
    setBusy(deed);
    setFailure(null);
    try {
      show(await decide());
    } catch (error) {
      await fail(error, deed);
    } finally {
      underWay.current = false;
      setBusy(null);
    }
  }

  const { id } = proposal;
  return {
    busy,
    failure,
    again: failure?.kind === "unreachable" && busy === null ? () => last.current() : null,
    apply: (secrets) =>
      void send("apply", () => withToken(proposal, (token) => applyProposal(id, token, secrets))),
    decline: (reason) =>
      void send("decline", () =>
        withToken(proposal, (token) => declineProposal(id, token, reason)),
      ),
    resolve: (outcome, note) => void send(outcome, () => resolveProposal(id, outcome, note)),
    undo: () =>
      void send("undo", async () => {
        const made = await undoProposal(id);
        await lookAgain(id);
        return made;
      }),
  };
}
