/** Keeps the end of a growing transcript in view, unless the reader has scrolled away from it. */

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

const NEAR_PIXELS = 64;

interface Stick {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR_PIXELS;
}

export function useStick(): Stick {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    sticks.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  useEffect(() => {
    const box = scroller.current;
    if (box === null || content.current === null) return;
    let lastTop = box.scrollTop;
    const onScroll = () => {
      // Growing content moves the end away without the reader having done anything.
      if (isNearEnd(box)) sticks.current = true;
      else if (box.scrollTop < lastTop) sticks.current = false;
      lastTop = box.scrollTop;
      setAtEnd(sticks.current);
    };
    const observer = new ResizeObserver(() => {
      if (sticks.current) box.scrollTo({ top: box.scrollHeight });
    });
    observer.observe(content.current);
    observer.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, []);

  return { scroller, content, atEnd, toEnd };
}
