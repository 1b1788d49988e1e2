/** Who asks: a person or an application, through which program, and how sure that is. */

import type { Proposal } from "../api/types";
import { nameAsker } from "../proposals/asker";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { Trust } from "../ui/trust";
import { Visible } from "../values/visible";

const words = texts.decide;

interface AskerProps {
  proposal: Proposal;
}

export function Asker({ proposal }: AskerProps) {
  const { client, proposer } = proposal;
  const name = nameAsker(proposal);
  return (
    <div className="flex items-start gap-3">
      <Avatar name={client?.name ?? name} size="large" shape="square" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <Visible text={client?.name ?? name} />
          {client !== null && <Trust checked={client.verified} />}
        </p>
        <p className="text-[0.8125rem] text-pretty wrap-anywhere text-muted">
          {client?.host && (
            <>
              <span className="font-mono text-xs text-ink">
                <Visible text={client.host} />
              </span>
              {" · "}
            </>
          )}
          {client !== null && (
            <>
              {words.forPerson} <Visible text={name} />
              {proposer.kind === "application" && ", "}
            </>
          )}
          {proposer.kind === "application" && words.application}
          {client === null && proposer.kind !== "application" && texts.card.through[proposal.edge]}
        </p>
      </div>
    </div>
  );
}
