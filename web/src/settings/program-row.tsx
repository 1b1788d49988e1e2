/** One connected program: what it is called, what it may do, since when. */

import { ChevronRight } from "lucide-react";
import type { Connection } from "../api/types";
import { describeScope, findPlaces } from "../connect/scopes";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { Button } from "../ui/button";
import { Time } from "../ui/time";
import { Trust } from "../ui/trust";
import { Visible } from "../values/visible";

const words = texts.programs;

interface ProgramRowProps {
  connection: Connection;
  /** In a list of everybody's. */
  withPerson: boolean;
  onRevoke: () => void;
}

export function ProgramRow({ connection, withPerson, onRevoke }: ProgramRowProps) {
  const { clientName, clientHost, registeredBy, user, createdAt, lastUsedAt } = connection;
  return (
    <li className="flex flex-wrap items-start gap-x-3.5 gap-y-2 px-4 py-3.5">
      <Avatar name={clientName} size="large" shape="square" />
      <div className="min-w-0 flex-1 basis-32">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          <Visible text={clientName} />
          {withPerson && (
            <span className="font-normal text-muted">
              <Visible text={words.ofPerson(user.name)} />
            </span>
          )}
          <Trust checked={registeredBy === "document"} />
        </p>
        <p className="text-[0.8125rem] wrap-anywhere text-muted">
          <span className="font-mono text-xs">
            <Visible text={clientHost} />
          </span>
          {" · "}
          {lastUsedAt === null ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUsed} <Time value={lastUsedAt} />
            </>
          )}
          <span className="max-sm:hidden">
            {" · "}
            {words.since} <Time value={createdAt} />
          </span>
        </p>
        <Scopes connection={connection} />
      </div>
      <Button
        size="small"
        aria-label={words.revokeNamed(clientName)}
        onClick={onRevoke}
        className="ml-auto"
      >
        {words.revoke}
      </Button>
    </li>
  );
}

function sayWhatItMay(scopes: Connection["scopes"]): string {
  const { isEverything, seen, prepared } = findPlaces(scopes);
  if (isEverything) return words.everything;
  return prepared.length === 0 ? words.sees(seen) : words.prepares(seen, prepared);
}

interface ScopesProps {
  connection: Connection;
}

function Scopes({ connection: { scopes } }: ScopesProps) {
  return (
    <details className="group mt-1 text-[0.8125rem]">
      <summary className="-ml-1 inline-flex list-none items-start gap-1 rounded-md pr-2 pl-1 text-pretty text-muted hover:text-ink pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden="true"
          className="mt-0.75 shrink-0 transition-transform duration-150 group-open:rotate-90"
        />
        {sayWhatItMay(scopes)}
      </summary>
      <ul className="mt-1 grid gap-x-4 gap-y-0.5 pl-4 sm:grid-cols-2">
        {scopes.map((scope) => (
          <li key={scope.rule} title={scope.rule}>
            {describeScope(scope)}
          </li>
        ))}
      </ul>
    </details>
  );
}
