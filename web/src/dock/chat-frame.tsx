/** Around the one chat on the screen: its own page, a panel beside another, or a sheet above it. */

import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { ChatSkeleton } from "../chat/skeleton";
import { readStored, writeStored } from "../session/stored";
import { ErrorBoundary } from "../shell/error-boundary";
import { texts } from "../texts";
import { deferred } from "../ui/deferred";
import { focusDockButton } from "./dock-button";
import { NewInDock } from "./new-in-dock";
import { ResizeHandle } from "./resize-handle";
import type { Dock } from "./use-dock";
import { clampWidth, parseWidth } from "./width";

const ChatPane = deferred(async () => (await import("../chat/pane")).ChatPane);

const WIDTH = "assent.dock.width";

export const FRAME_ID = "assistant";

type Kind = "page" | "panel" | "sheet";

const LOOKS: Record<Kind, string> = {
  page: "relative h-[calc(100dvh-3.25rem)] min-w-0 flex-1 md:h-auto md:overflow-hidden md:rounded-xl md:border md:border-line md:shadow-soft",
  panel: "relative w-(--dock-width) shrink-0 rounded-xl border border-line shadow-soft",
  sheet:
    "fixed inset-y-0 right-0 z-40 w-full animate-[arrive_200ms_var(--ease-calm)] shadow-float sm:w-104",
};

function useWidth() {
  const [wanted, setWanted] = useState(() => parseWidth(readStored(WIDTH)));
  return {
    width: clampWidth(wanted, window.innerWidth),
    setWidth: setWanted,
    keepWidth: (width: number) => {
      setWanted(width);
      writeStored(WIDTH, String(width));
    },
  };
}

function kindOf({ onPage, sheet }: Dock): Kind {
  if (onPage) return "page";
  return sheet ? "sheet" : "panel";
}

interface ChatFrameProps {
  dock: Dock;
}

export function ChatFrame({ dock }: ChatFrameProps) {
  const { place } = dock;
  const { width, setWidth, keepWidth } = useWidth();
  if (!place.docked && !dock.onPage) return null;
  const kind = kindOf(dock);

  function put(event: KeyboardEvent<HTMLElement>) {
    const inside = event.currentTarget.contains(event.target as Node);
    const composes = event.nativeEvent.isComposing || event.defaultPrevented;
    if (event.key !== "Escape" || !place.docked || !inside || composes) return;
    place.close();
    focusDockButton();
  }

  return (
    <>
      {kind === "sheet" && (
        <div aria-hidden="true" onClick={place.close} className="fixed inset-0 z-40 bg-backdrop" />
      )}
      <Landmark kind={kind} width={width} onKeyDown={put}>
        {kind === "panel" && <ResizeHandle width={width} onChange={setWidth} onDone={keepWidth} />}
        <ErrorBoundary>
          <Suspense fallback={<ChatSkeleton />}>
            {place.shownId === null ? (
              <NewInDock />
            ) : (
              <ChatPane key={place.shownId} conversationId={place.shownId} />
            )}
          </Suspense>
        </ErrorBoundary>
      </Landmark>
    </>
  );
}

const ROLES: Record<Kind, object> = {
  page: { role: "main", id: "main" },
  panel: { role: "complementary", "aria-label": texts.dock.label, id: FRAME_ID },
  sheet: { role: "dialog", "aria-modal": true, "aria-label": texts.dock.label, id: FRAME_ID },
};

interface LandmarkProps {
  kind: Kind;
  width: number;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  children: ReactNode;
}

/** Always the same element, whatever it is at the moment: another one would begin all anew. */
function Landmark({ kind, width, onKeyDown, children }: LandmarkProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the focus lies beneath the sheet now and cannot be reached.
    if (kind === "sheet") frame.current?.focus({ preventScroll: true });
  }, [kind]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it always has one of the roles above.
    <div
      ref={frame}
      {...ROLES[kind]}
      data-chat-frame={kind}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      style={{ "--dock-width": `${width}px` } as CSSProperties}
      className={`@container flex flex-col bg-surface outline-none! ${LOOKS[kind]}`}
    >
      {children}
    </div>
  );
}
