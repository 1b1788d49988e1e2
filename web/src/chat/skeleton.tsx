/** A chat before it is there: its header, a few lines, and where one will write. */

import { texts } from "../texts";

export function ChatSkeleton() {
  return (
    <div role="status" aria-label={texts.states.loading} className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-12 shrink-0 items-center justify-between border-b border-line px-4 sm:px-6">
        <span className="skeleton h-4 w-40" />
        <span className="skeleton h-4 w-24" />
      </div>
      <div className="flex-1" />
      <div className="mx-auto w-full max-w-3xl px-3 pb-9 sm:px-6">
        <span className="skeleton block h-12 w-full rounded-2xl!" />
      </div>
    </div>
  );
}
