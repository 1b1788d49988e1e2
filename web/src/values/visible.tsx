/** Text from data, exactly as it is: never HTML, and nothing in it stays unseen. */

import { texts } from "../texts";
import { codeOf, type Run, splitVisible } from "./hidden";

const MARK =
  "mx-px inline-block rounded bg-caution-soft px-1 font-mono text-[0.6875rem] leading-4 text-on-caution-soft";

const MARKS: Record<string, string> = { "\n": "↵", "\t": "⇥" };

interface MarkProps {
  run: Run;
}

function Mark({ run: { kind, text } }: MarkProps) {
  if (kind === "hidden") {
    return (
      <span title={texts.diff.hidden(codeOf(text))} className={MARK}>
        {codeOf(text)}
      </span>
    );
  }
  return (
    <span title={texts.diff.space} className="text-muted">
      {[...text].map((blank) => MARKS[blank] ?? "·").join("")}
    </span>
  );
}

interface VisibleProps {
  text: string;
  /** Show blanks at the beginning and at the end too. */
  edges?: boolean;
}

/** Isolated, so that a text in another direction does not reorder what stands beside it. */
export function Visible({ text, edges = false }: VisibleProps) {
  const runs = splitVisible(text, { edges });
  return (
    <bdi>
      {runs.map((run, index) =>
        run.kind === "plain" ? (
          run.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: runs are parts of one text and never move.
          <Mark key={index} run={run} />
        ),
      )}
    </bdi>
  );
}
