/** The frame around every page of a signed-in person: sidebar, top bar on a phone, content, dock. */

import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { pagesQuery } from "../api/pages";
import { PlaceContext } from "../chat/place";
import { ChatFrame, FRAME_ID } from "../dock/chat-frame";
import { DockButton } from "../dock/dock-button";
import { type Dock, useDock } from "../dock/use-dock";
import { LiveProvider } from "../live/live";
import { useWaiting } from "../proposals/waiting";
import { useMe } from "../session/me";
import { RequireSession } from "../session/require-session";
import { useStored } from "../session/stored";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { deferred, Later } from "../ui/deferred";
import { PageSkeleton } from "../ui/page";
import { ErrorBoundary } from "./error-boundary";
import { allDestinations, buildNavigation } from "./navigation";
import { OfflineBar } from "./offline-bar";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";
import { useShortcuts } from "./use-shortcuts";

const MAIN = "main";

const Drawer = deferred(async () => (await import("./drawer")).Drawer);
const ShortcutList = deferred(async () => (await import("./shortcut-list")).ShortcutList);

export function Shell() {
  return (
    <RequireSession>
      <LiveProvider>
        <Frame />
      </LiveProvider>
    </RequireSession>
  );
}

/** After a change of page the keyboard and the screen reader start at its content. */
function useFocusOnNavigation() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById(MAIN);
    main?.focus({ preventScroll: true });
    main?.scrollTo(0, 0);
    window.scrollTo(0, 0);
  }, [pathname]);
}

/** Open or not; its code is needed from the first opening on. */
function useOverlay() {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  return {
    needed: state !== "never",
    open: state === "open",
    show: () => setState("open"),
    hide: () => setState((current) => (current === "never" ? current : "closed")),
  };
}

function isInDock(): boolean {
  return document.activeElement?.closest(`#${FRAME_ID}`) != null;
}

function useNavigation() {
  const me = useMe();
  const { data: pages, isError } = useQuery(pagesQuery);
  const waiting = useWaiting();
  const navigation = useMemo(
    () => buildNavigation(me, isError ? [] : pages, waiting),
    [me, pages, isError, waiting],
  );
  return { navigation, waiting, destinations: allDestinations(navigation) };
}

function Frame() {
  const { navigation, waiting, destinations } = useNavigation();
  const [sidebar, setSidebar] = useStored("assent.sidebar");
  const drawer = useOverlay();
  const help = useOverlay();
  const dock = useDock();
  const collapsed = sidebar === "collapsed";
  const toggle = () => setSidebar(collapsed ? null : "collapsed");
  useFocusOnNavigation();
  useShortcuts({
    destinations,
    onHelp: help.show,
    onToggleSidebar: toggle,
    onDock: () => dock.summon(isInDock()),
  });

  return (
    <PlaceContext value={dock.place}>
      <div className="flex min-h-dvh flex-col md:h-dvh md:flex-row">
        <div className="contents" inert={dock.sheet}>
          <SkipLink />
          <Sidebar
            navigation={navigation}
            collapsed={collapsed}
            onToggle={toggle}
            onHelp={help.show}
          />
          <TopBar waiting={waiting} onMenu={drawer.show} dock={dock} />
        </div>
        {drawer.needed && (
          <Later>
            {" "}
            <Drawer
              open={drawer.open}
              onClose={drawer.hide}
              navigation={navigation}
              onHelp={help.show}
            />
          </Later>
        )}
        <Content dock={dock} />
        {help.needed && (
          <Later>
            {" "}
            <ShortcutList open={help.open} onClose={help.hide} destinations={destinations} />
          </Later>
        )}
      </div>
    </PlaceContext>
  );
}

function SkipLink() {
  return (
    <a
      href={`#${MAIN}`}
      className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-accent px-3 py-2 font-medium text-on-accent focus-visible:translate-y-0"
    >
      {texts.shell.skip}
    </a>
  );
}

interface ContentProps {
  dock: Dock;
}

/** The page, and the assistant beside it; or the assistant as the page. */
function Content({ dock }: ContentProps) {
  const rail = dock.offered && !(dock.place.docked && !dock.sheet);
  return (
    <div className={classes("flex min-h-0 min-w-0 flex-1 flex-col md:py-2", !rail && "md:pr-2")}>
      <OfflineBar />
      <div className="flex min-h-0 flex-1 gap-2">
        {!dock.onPage && (
          <main
            id={MAIN}
            inert={dock.sheet}
            tabIndex={-1}
            className="@container min-h-0 min-w-0 flex-1 bg-surface outline-none! md:overflow-y-auto md:rounded-xl md:border md:border-line md:shadow-soft"
          >
            <ErrorBoundary>
              <Suspense fallback={<PageSkeleton />}>
                <Outlet />
              </Suspense>
            </ErrorBoundary>
          </main>
        )}
        <ChatFrame dock={dock} />
        {rail && (
          <div
            inert={dock.sheet}
            className="-ml-2 hidden w-12 shrink-0 items-start justify-center pt-1 md:flex"
          >
            <DockButton dock={dock} className="size-9!" />
          </div>
        )}
      </div>
    </div>
  );
}
