/** A proposal in short: what it would do, by which tool, and what to beware of. */

import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ProposalLine } from "../api/types";
import { classes } from "../ui/classes";
import { Visible } from "../values/visible";
import { EffectBadges, EffectTile } from "./marks";
import { proposalPath } from "./paths";

interface ShortProps {
  line: ProposalLine;
  /** The whole row leads to it. */
  fillsRow?: boolean;
  /** Who, when and how long, as the place needs it. */
  children: ReactNode;
}

const ROW_LINK =
  "after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 " +
  "focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent";

export function ProposalShort({ line, fillsRow = false, children }: ShortProps) {
  const { id, summary, title, effect, egress, isRed } = line;
  return (
    <div className="flex min-w-0 flex-1 items-start gap-3 py-0.5">
      <EffectTile effect={effect} egress={egress} />
      <div className="min-w-0 flex-1">
        <Link
          to={proposalPath(id)}
          className={classes(
            "line-clamp-2 font-medium wrap-anywhere",
            fillsRow ? ROW_LINK : "hover:underline hover:underline-offset-2",
          )}
        >
          <Visible text={summary} />
        </Link>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
          <Visible text={title} />
          {(effect !== "mutate" || egress || isRed) && (
            <EffectBadges effect={effect} egress={egress} isRed={isRed} />
          )}
        </p>
        {children}
      </div>
    </div>
  );
}
