/** One side of a changed text: what differs is marked, long stretches that do not are folded. */

import { useState } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import type { Piece } from "./text-diff";
import { Visible } from "./visible";

const LONG = 320;
const CONTEXT = 100;

type Side = "before" | "after";

const MARKS: Record<Side, string> = {
  before: "bg-danger-soft text-on-danger-soft line-through decoration-1",
  after: "bg-accent-soft text-on-accent-soft",
};

interface DiffTextProps {
  side: Side;
  pieces: readonly Piece[];
}

export function DiffText({ side, pieces }: DiffTextProps) {
  if (pieces.length === 0) return <span className="text-muted italic">{texts.diff.empty}</span>;
  const last = pieces.length - 1;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      {pieces.map((piece, index) =>
        piece.changed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are parts of one text and never move.
          <mark key={index} className={classes("rounded-xs", MARKS[side])}>
            <Visible text={piece.text} edges={index === 0 || index === last || isBlank(piece)} />
          </mark>
        ) : (
          <Unchanged
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            key={index}
            text={piece.text}
            keepStart={index > 0}
            keepEnd={index < last}
          />
        ),
      )}
    </p>
  );
}

function isBlank({ text }: Piece): boolean {
  return text.trim() === "";
}

interface UnchangedProps {
  text: string;
  keepStart: boolean;
  keepEnd: boolean;
}

function Unchanged({ text, keepStart, keepEnd }: UnchangedProps) {
  const [open, setOpen] = useState(false);
  if (open || text.length <= LONG) return <Visible text={text} />;
  const start = keepStart ? text.slice(0, CONTEXT) : "";
  const end = keepEnd ? text.slice(-CONTEXT) : "";
  return (
    <>
      <Visible text={start} />
      <button
        type="button"
        onClick={() => setOpen(true)}
        className="mx-1 rounded bg-hover px-1.5 text-xs text-muted hover:bg-pressed hover:text-ink"
      >
        … {texts.diff.unchanged(text.length - start.length - end.length)} …
      </button>
      <Visible text={end} />
    </>
  );
}
