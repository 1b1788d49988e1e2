/** How far a tool has come: so many of so many, and what it is at. */

import { texts } from "../texts";
import { Visible } from "../values/visible";
import type { ProgressData } from "./message";
import { shareOf } from "./progress";

const words = texts.chat;

interface ProgressBarProps {
  title: string;
  progress: ProgressData;
}

export function ProgressBar({ title, progress }: ProgressBarProps) {
  const { done, total, text } = progress;
  const share = shareOf(progress);
  return (
    <div className="mt-1.5 ml-5.5 max-w-md text-[0.8125rem] text-muted">
      <p className="flex gap-3">
        <span className="min-w-0 flex-1 truncate">
          <Visible text={text ?? ""} />
        </span>
        <span className="shrink-0 tabular-nums">{words.progress(done, total ?? null)}</span>
      </p>
      <div
        role="progressbar"
        aria-label={words.progressLabel(title)}
        aria-valuenow={done}
        aria-valuemin={0}
        {...(total === undefined ? {} : { "aria-valuemax": total })}
        className="mt-1 h-1 overflow-hidden rounded-full bg-pressed"
      >
        {share === null ? (
          <div className="h-full w-1/3 animate-[glide_1.6s_ease-in-out_infinite] rounded-full bg-accent" />
        ) : (
          <div
            className="h-full origin-left rounded-full bg-accent transition-transform duration-200"
            style={{ transform: `scaleX(${share / 100})` }}
          />
        )}
      </div>
    </div>
  );
}
