/** What stands above the first message that is shown: earlier ones come by themselves. */

import { type RefObject, useEffect, useRef } from "react";
import { texts } from "../texts";
import { Button } from "../ui/button";
import type { OpenConversation } from "./use-conversation";

const MARGIN = "1500px 0px 0px";

interface EarlierProps {
  earlier: OpenConversation["earlier"];
  scroller: RefObject<HTMLElement | null>;
  /** How many messages are shown. */
  shown: number;
}

export function Earlier({ earlier: { busy, failed, load }, scroller, shown }: EarlierProps) {
  const element = useRef<HTMLDivElement>(null);
  const waits = !busy && !failed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an observer tells of changes only, and one may still be at the top when a page has come.
  useEffect(() => {
    if (!waits || element.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void load().catch(() => undefined);
      },
      { root: scroller.current, rootMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [waits, load, scroller, shown]);
  return (
    <div ref={element} className="flex justify-center pt-4">
      <Button
        size="small"
        variant={failed ? "secondary" : "ghost"}
        busy={busy}
        onClick={() => void load().catch(() => undefined)}
      >
        {failed ? texts.chat.earlierFailed : texts.chat.earlier}
      </Button>
    </div>
  );
}
