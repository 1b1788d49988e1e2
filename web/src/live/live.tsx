/** Gives what the server announces to everything inside the shell. */

import { useQueryClient } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useMe } from "../session/me";
import { applyEvent } from "./apply-event";
import type { LiveEvent } from "./event";
import { joinTabs } from "./tabs";

type Hear = (event: LiveEvent) => void;

interface Live {
  connected: boolean;
  subscribe: (hear: Hear) => () => void;
}

/** How often to look when nothing is announced. */
const SAFETY_MS = 30_000;

const LiveContext = createContext<Live>({ connected: false, subscribe: () => () => {} });

interface LiveProviderProps {
  children: ReactNode;
}

export function LiveProvider({ children }: LiveProviderProps) {
  const { id } = useMe();
  const client = useQueryClient();
  const [connected, setConnected] = useState(false);
  const [listeners] = useState(() => new Set<Hear>());

  useEffect(
    () =>
      joinTabs(`assent.events.${id}`, {
        onConnected: setConnected,
        onEvent: (event) => {
          applyEvent(client, event);
          for (const hear of listeners) hear(event);
        },
      }),
    [id, client, listeners],
  );

  const subscribe = useCallback(
    (hear: Hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    [listeners],
  );
  const live = useMemo(() => ({ connected, subscribe }), [connected, subscribe]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useConnected(): boolean {
  return use(LiveContext).connected;
}

/** Calls back for everything that is announced, after what was read is up to date with it. */
export function useLiveEvents(hear: Hear): void {
  const { subscribe } = use(LiveContext);
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => subscribe((event) => latest.current(event)), [subscribe]);
}

/** For queries that are told about changes: they look by themselves only while nobody tells them. */
export function useSafetyNet(): number | false {
  return useConnected() ? false : SAFETY_MS;
}
