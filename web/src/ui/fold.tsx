/** A part of a long form that is folded away until it is needed. */

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldProps {
  title: string;
  /** What is set in it, while it is folded. */
  says?: string | undefined;
  /** Open from the start when something in it is set, or wrong. */
  open: boolean;
  children: ReactNode;
}

export function Fold({ title, says, open, children }: FoldProps) {
  return (
    <details open={open || undefined} className="group rounded-lg border border-line">
      <summary className="flex min-h-10 list-none items-center gap-2 rounded-lg px-3 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={15}
          aria-hidden="true"
          className="shrink-0 text-muted transition-transform duration-150 group-open:rotate-90"
        />
        <span className="font-medium">{title}</span>
        {says && (
          <span className="ml-auto truncate text-[0.8125rem] text-muted group-open:hidden">
            {says}
          </span>
        )}
      </summary>
      <div className="flex flex-col gap-4 px-4 pt-2 pb-4">{children}</div>
    </details>
  );
}
