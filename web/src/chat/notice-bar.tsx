/** Above the composer when a turn did not come to its end: what happened, and a way on. */

import { CircleStop } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts";
import { Banner } from "../ui/banner";
import { Button } from "../ui/button";
import type { NoticeKind, TurnNotice } from "./notice";

const words = texts.chat;

const TITLES: Record<Exclude<NoticeKind, "stopped">, string> = {
  unsent: words.unsentTitle,
  lost: words.lostTitle,
  failed: words.failedTitle,
};

interface NoticeBarProps {
  notice: TurnNotice;
  onRetry: () => void;
  onDismiss: () => void;
}

export function NoticeBar({ notice, onRetry, onDismiss }: NoticeBarProps) {
  const { kind, detail, retryable } = notice;
  const retry = retryable && (
    <Button size="small" onClick={onRetry}>
      {texts.actions.retry}
    </Button>
  );
  return (
    <div className="mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6">
      {kind === "stopped" ? (
        <Stopped>{retry}</Stopped>
      ) : (
        <Banner
          tone="danger"
          title={TITLES[kind]}
          action={
            <div className="flex gap-2">
              {retry}
              <Button size="small" variant="ghost" onClick={onDismiss} className="text-inherit!">
                {words.dismiss}
              </Button>
            </div>
          }
        >
          {detail}
        </Banner>
      )}
    </div>
  );
}

interface StoppedProps {
  children: ReactNode;
}

function Stopped({ children }: StoppedProps) {
  return (
    <div className="flex items-center gap-2 px-2 text-[0.8125rem] text-muted">
      <CircleStop size={15} aria-hidden="true" className="shrink-0" />
      <p role="status" className="mr-1">
        {words.stopped}
      </p>
      {children}
    </div>
  );
}
