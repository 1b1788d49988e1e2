/** A list in its new order, with the place where each element was. */

import { texts } from "../texts";
import { LongText } from "./long-text";
import { ValueView } from "./value-view";

interface ReorderedProps {
  before: unknown;
  after: unknown;
}

export function Reordered({ before, after }: ReorderedProps) {
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return <LongText text={JSON.stringify({ before, after }, null, 2)} mono />;
  }
  return (
    <ol className="flex flex-col gap-0.5 rounded-r-md border-l-2 border-accent/60 bg-hover px-3 py-1.5">
      {after.map((item: unknown, index) => {
        const was = before.indexOf(item);
        return (
          <li key={String(item)} className="flex min-w-0 items-baseline gap-2.5">
            <span className="shrink-0 text-muted tabular-nums">{index + 1}.</span>
            <span className="min-w-0">
              <ValueView value={item} depth={1} />
            </span>
            {was !== index && (
              <span className="ml-auto shrink-0 text-xs text-muted">
                {texts.diff.wasAt(was + 1)}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
