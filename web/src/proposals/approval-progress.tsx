/** How far a proposal is that several people have to assent to, and why one may not. */

import { CircleCheck } from "lucide-react";
import type { Proposal } from "../api/types";
import { texts } from "../texts";
import { Visible } from "../values/visible";

const words = texts.card.approvals;

interface ApprovalProgressProps {
  proposal: Proposal;
}

export function ApprovalProgress({ proposal: { approvals } }: ApprovalProgressProps) {
  if (approvals === null) return null;
  const { needed, given, missing, mayVote, whyNot } = approvals;
  const counted = given.filter(({ counts }) => counts).length;
  return (
    <div className="flex flex-col gap-2 px-4 pt-3.5 @md:px-5">
      <div className="flex items-center gap-3">
        <p className="font-medium">{words.given(counted, needed)}</p>
        <div aria-hidden="true" className="flex min-w-16 flex-1 gap-1">
          {Array.from({ length: needed }, (_, nth) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: places in a row have nothing else.
              key={nth}
              className={`h-1 flex-1 rounded-full ${nth < counted ? "bg-accent" : "bg-pressed"}`}
            />
          ))}
        </div>
      </div>
      {given.length > 0 && (
        <ul className="flex flex-col gap-0.5 text-[0.8125rem] text-muted">
          {given.map(({ personId, name, counts }) => (
            <li key={personId} className="flex items-center gap-1.5">
              <CircleCheck
                size={14}
                aria-hidden="true"
                className={counts ? "text-accent" : "text-faint"}
              />
              <span className={counts ? "text-ink" : "line-through"}>
                <Visible text={name} />
              </span>
              {!counts && <span>{words.notCounted}</span>}
            </li>
          ))}
        </ul>
      )}
      <p className="text-[0.8125rem] text-pretty text-muted">
        {mayVote && missing <= 1 ? words.completes : words.missing(missing)}
        {whyNot !== null && ` ${whyNot}`}
      </p>
    </div>
  );
}
