/**
 * Which messages are near what is being looked at. Only those are shown with all they have; the
 * others are their plain text until one comes close, and stay whole from then on.
 */

import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";

const MARGIN = "1200px 0px";

type Watch = (element: Element, onNear: () => void) => () => void;

const NearContext = createContext<Watch | null>(null);

interface NearProps {
  scroller: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Near({ scroller, children }: NearProps) {
  const observer = useRef<IntersectionObserver | null>(null);
  const waiting = useRef(new Map<Element, () => void>());
  useEffect(
    () => () => {
      observer.current?.disconnect();
      observer.current = null;
    },
    [],
  );
  const watch = useCallback<Watch>(
    (element, onNear) => {
      // What is inside comes first: its effects run before those of the page around it.
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, target } of entries) {
            if (isIntersecting) waiting.current.get(target)?.();
          }
        },
        { root: scroller.current, rootMargin: MARGIN },
      );
      waiting.current.set(element, onNear);
      observer.current.observe(element);
      return () => {
        waiting.current.delete(element);
        observer.current?.unobserve(element);
      };
    },
    [scroller],
  );
  return <NearContext value={watch}>{children}</NearContext>;
}

/** Whether the element has been near; elsewhere than in a transcript everything is. */
export function useNear(element: RefObject<HTMLElement | null>, fromTheStart: boolean): boolean {
  const watch = use(NearContext);
  const [near, setNear] = useState(fromTheStart || watch === null);
  useEffect(() => {
    if (near || watch === null || element.current === null) return;
    return watch(element.current, () => setNear(true));
  }, [near, watch, element]);
  return near;
}
