/** On a receipt: taking the change back, and how that stands; on the card that does it: of what. */

import { Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Proposal } from "../api/types";
import { texts } from "../texts";
import { Button, LinkButton } from "../ui/button";
import type { StatusProps } from "./decision";
import { useCardPath } from "./paths";

const words = texts.card.undo;

type UndoState = NonNullable<Proposal["undo"]>["state"];

const SAYS: Record<Exclude<UndoState, "available">, string> = {
  waiting: words.waiting,
  undone: words.undone,
  unknown: words.unknown,
};

export function Undo({ proposal: { undo }, decision }: StatusProps) {
  const pathTo = useCardPath();
  if (undo === null) return null;
  if (undo.state === "available") {
    if (!undo.mayUndo) return null;
    return (
      <Line says={words.hint}>
        <Button icon={Undo2} size="small" busy={decision.busy === "undo"} onClick={decision.undo}>
          {words.action}
        </Button>
      </Line>
    );
  }
  return (
    <Line says={SAYS[undo.state]}>
      {undo.proposalId !== null && (
        <LinkButton size="small" to={pathTo(undo.proposalId)}>
          {words.look}
        </LinkButton>
      )}
    </Line>
  );
}

interface LineProps {
  says: string;
  children: ReactNode;
}

function Line({ says, children }: LineProps) {
  return (
    <div className="mt-3 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 border-t border-dashed border-line-strong pt-3">
      <p className="min-w-0 flex-1 basis-48 text-[0.8125rem] text-pretty text-muted">{says}</p>
      {children}
    </div>
  );
}

interface UndoesProps {
  id: string;
}

export function Undoes({ id }: UndoesProps) {
  const pathTo = useCardPath();
  return (
    <p className="flex items-start gap-2 rounded-lg bg-hover px-3 py-2 text-[0.8125rem]">
      <Undo2 size={15} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
      <span className="text-pretty">
        {words.undoes}{" "}
        <Link to={pathTo(id)} className="font-medium underline underline-offset-2">
          {words.toUndone}
        </Link>
      </span>
    </p>
  );
}
