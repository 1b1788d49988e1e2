/** What a page shows instead of its content: loading, nothing there, forbidden, failed, offline. */

import { CloudOff, FileQuestion, Lock, type LucideIcon, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../texts";
import { Button } from "./button";

interface NoticeProps {
  /** `page` when there is no other heading. */
  on?: "page" | "section";
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

const HEADINGS = { page: "h1", section: "h2" } as const;

export function Notice({ on = "section", icon: Icon, title, children, action }: NoticeProps) {
  const Heading = HEADINGS[on];
  return (
    <div className="flex flex-col items-center px-4 py-16 text-center">
      <span className="mb-4 flex size-10 items-center justify-center rounded-xl border border-line bg-raised text-muted shadow-soft">
        <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <Heading className="font-medium text-balance">{title}</Heading>
      {children && <div className="mt-1 max-w-sm text-pretty text-muted">{children}</div>}
      {action && <div className="mt-5 max-w-full">{action}</div>}
    </div>
  );
}

interface ForbiddenProps {
  rule: string | null;
}

export function Forbidden({ rule }: ForbiddenProps) {
  return (
    <Notice icon={Lock} title={texts.states.forbiddenTitle}>
      {rule !== null && (
        <p>
          {texts.states.forbiddenRule}{" "}
          <code className="rounded bg-hover px-1 py-0.5 font-mono text-xs text-ink">{rule}</code>.
        </p>
      )}
      <p>{texts.states.forbiddenWay}</p>
    </Notice>
  );
}

export function Missing() {
  return (
    <Notice icon={FileQuestion} title={texts.states.missingTitle}>
      {texts.states.missingBody}
    </Notice>
  );
}

interface FailedProps {
  detail: string;
  requestId?: string | null;
  onRetry: () => void;
}

export function Failed({ detail, requestId = null, onRetry }: FailedProps) {
  return (
    <Notice
      icon={Unplug}
      title={texts.states.failedTitle}
      action={<Button onClick={onRetry}>{texts.actions.retry}</Button>}
    >
      <p role="alert">{detail}</p>
      {requestId !== null && (
        <p className="mt-1 font-mono text-xs text-faint">{texts.states.requestId(requestId)}</p>
      )}
    </Notice>
  );
}

export function Offline() {
  return (
    <Notice icon={CloudOff} title={texts.states.offlineTitle}>
      {texts.states.offlineBody}
    </Notice>
  );
}

interface RowsProps {
  count?: number;
}

const WIDTHS = ["w-40", "w-56", "w-32", "w-48", "w-36"] as const;

export function SkeletonRows({ count = 5 }: RowsProps) {
  return (
    <div role="status" aria-label={texts.states.loading} className="flex flex-col">
      {Array.from({ length: count }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
          key={row}
          className="flex items-center gap-3 border-b border-line px-4 py-3.5 last:border-0"
        >
          <span className="skeleton size-7 shrink-0" />
          <span className={`skeleton h-3.5 ${WIDTHS[row % WIDTHS.length]}`} />
          <span className="skeleton ml-auto hidden h-3.5 w-20 sm:block" />
        </div>
      ))}
    </div>
  );
}
