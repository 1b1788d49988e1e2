/** Which program asks, and how much of that is known to be true. */

import type { Consent } from "../api/types";
import { texts } from "../texts";
import { Avatar } from "../ui/avatar";
import { Mark } from "../ui/logo";
import { Trust } from "../ui/trust";
import { Visible } from "../values/visible";

const words = texts.connect;

interface ProgramProps {
  asked: Consent;
}

export function Program({ asked: { clientName, clientHost, registeredBy } }: ProgramProps) {
  const isChecked = registeredBy === "document";
  return (
    <header className="flex flex-col items-center text-center">
      <div aria-hidden="true" className="mb-5 flex items-center gap-2 text-line-strong">
        <span className="flex *:size-11! *:rounded-xl! *:text-base!">
          <Avatar name={clientName} shape="square" />
        </span>
        <span className="w-9 border-t-2 border-dotted border-current" />
        <Mark size={44} />
      </div>
      <h1 className="max-w-full text-xl font-semibold tracking-tight text-balance wrap-anywhere">
        <Visible text={words.heading(clientName)} />
      </h1>
      <p className="mt-2 flex max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1 text-muted">
        <span className="font-mono text-[0.8125rem] wrap-anywhere text-ink">
          <Visible text={clientHost} />
        </span>
        <Trust checked={isChecked} />
      </p>
      {!isChecked && (
        <p className="mt-2 max-w-sm text-[0.8125rem] text-pretty text-muted">
          {words.unverifiedBody}
        </p>
      )}
    </header>
  );
}
