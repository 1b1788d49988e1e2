/**
 * Keeps the reader's place while a transcript changes: its end, or else what is being read.
 *
 * Browsers differ in whether they do the latter, and none does at the very top, so it is all here.
 */

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { followReader } from "./reader";

const NEAR_PIXELS = 64;
const ABOVE_PIXELS = 24;
const TOUCHES = ["pointerdown", "keydown"] as const;

interface Stick {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
  /** Brings one message into view and stays with it. */
  toMessage: (message: Element) => void;
}

/** A message, and how far below the upper edge it is. */
interface Place {
  message: Element;
  below: number;
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= NEAR_PIXELS;
}

function belowEdge(message: Element, box: HTMLElement): number {
  return message.getBoundingClientRect().top - box.getBoundingClientRect().top;
}

function placeOf(message: Element, box: HTMLElement): Place {
  return { message, below: belowEdge(message, box) };
}

/**
 * The first message whose beginning can be seen, else the one that fills the view. What is cut off
 * by the upper edge may change its height there. Found by halving: there may be thousands.
 */
function findPlace(box: HTMLElement): Place | null {
  const messages = box.querySelector("[role=log]")?.children ?? [];
  const { top: edge, bottom: end } = box.getBoundingClientRect();
  let [first, after] = [0, messages.length];
  while (first < after) {
    const middle = (first + after) >> 1;
    const bottom = messages[middle]?.getBoundingClientRect().bottom ?? 0;
    if (bottom > edge) after = middle;
    else first = middle + 1;
  }
  const isSeen = (message: Element | undefined) =>
    message !== undefined && message.getBoundingClientRect().top < end;
  const [cut, next] = [messages[first], messages[first + 1]];
  if (cut === undefined) return null;
  const begins = cut.getBoundingClientRect().top >= edge;
  return placeOf(begins || !isSeen(next) ? cut : (next ?? cut), box);
}

/** Whether it had moved. */
function goBack(box: HTMLElement, { message, below }: Place): boolean {
  const moved = message.isConnected ? belowEdge(message, box) - below : 0;
  if (Math.abs(moved) < 1) return false;
  box.scrollTop += moved;
  return true;
}

/** What somebody points at or types into stays where it is, whatever comes of that. */
function useTouches(scroller: RefObject<HTMLElement | null>, onTouched: (place: Place) => void) {
  const latest = useRef(onTouched);
  latest.current = onTouched;
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const onTouch = ({ target }: Event) => {
      const message = target instanceof Element ? target.closest("[role=log] > *") : null;
      if (message !== null) latest.current(placeOf(message, box));
    };
    for (const touch of TOUCHES) box.addEventListener(touch, onTouch, { passive: true });
    return () => {
      for (const touch of TOUCHES) box.removeEventListener(touch, onTouch);
    };
  }, [scroller]);
}

export function useStick(): Stick {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const place = useRef<Place | null>(null);
  /** Where we ourselves have scrolled to, until the browser says so: nobody has gone elsewhere. */
  const own = useRef<number | null>(null);
  const [atEnd, setAtEnd] = useState(true);

  /** At the end, or else with what is read now. */
  const settle = useCallback((box: HTMLElement, stays: boolean) => {
    sticks.current = stays || isNearEnd(box);
    place.current = sticks.current ? null : findPlace(box);
    setAtEnd(sticks.current);
    if (stays) box.scrollTo({ top: box.scrollHeight });
  }, []);

  const toEnd = useCallback(() => {
    if (scroller.current !== null) settle(scroller.current, true);
  }, [settle]);

  const stayAt = useCallback((there: Place) => {
    const box = scroller.current;
    if (box !== null && goBack(box, there)) own.current = box.scrollTop;
  }, []);

  const toMessage = useCallback(
    (message: Element) => {
      sticks.current = false;
      place.current = { message, below: ABOVE_PIXELS };
      stayAt(place.current);
    },
    [stayAt],
  );

  useEffect(() => {
    const box = scroller.current;
    if (box === null || content.current === null) return;
    const reader = followReader(box);
    let lastTop = box.scrollTop;
    const onScroll = () => {
      const [before, isOwn] = [lastTop, box.scrollTop === own.current];
      [lastTop, own.current] = [box.scrollTop, null];
      if (isOwn) return;
      // What grows moves the end away, and what shrinks the view along, without the reader's doing.
      const went = box.scrollTop < before && reader.scrolls();
      settle(box, sticks.current && !went);
    };
    const observer = new ResizeObserver(() => {
      reader.seeChange();
      if (sticks.current) box.scrollTo({ top: box.scrollHeight });
      else if (place.current !== null) stayAt(place.current);
    });
    observer.observe(content.current);
    observer.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      reader.leave();
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [stayAt, settle]);

  useTouches(scroller, (touched) => {
    if (!sticks.current) place.current = touched;
  });

  return { scroller, content, atEnd, toEnd, toMessage };
}
