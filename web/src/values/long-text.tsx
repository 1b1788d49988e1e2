/** A text of any length: long ones are folded and can be opened. */

import { useState } from "react";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Visible } from "./visible";

const LONG_CHARACTERS = 600;
const LONG_LINES = 12;

export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
}

interface FoldButtonProps {
  open: boolean;
  size: string;
  onToggle: () => void;
}

export function FoldButton({ open, size, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className="mt-1 rounded text-[0.8125rem] font-medium text-accent hover:underline pointer-coarse:py-2"
    >
      {open ? texts.actions.showLess : texts.actions.showAll}
      {!open && <span className="font-normal text-muted"> ({size})</span>}
    </button>
  );
}

interface LongTextProps {
  text: string;
  mono?: boolean;
}

export function LongText({ text, mono = false }: LongTextProps) {
  const [open, setOpen] = useState(false);
  const long = isLong(text);
  if (text === "") return <span className="text-muted italic">{texts.diff.empty}</span>;
  return (
    <div className="min-w-0">
      <p
        className={classes(
          "wrap-anywhere whitespace-pre-wrap",
          mono && "font-mono text-[0.8125rem]",
          long && !open && "max-h-48 overflow-hidden mask-b-from-60%",
        )}
      >
        <Visible text={text} edges />
      </p>
      {long && (
        <FoldButton
          open={open}
          size={texts.diff.charactersInAll(text.length)}
          onToggle={() => setOpen(!open)}
        />
      )}
    </div>
  );
}
