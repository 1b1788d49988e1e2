/** The frame around every page of a signed-in person: sidebar, top bar on a phone, content. */

import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { pagesQuery } from "../api/pages";
import { LiveProvider } from "../live/live";
import { useWaiting } from "../proposals/waiting";
import { useMe } from "../session/me";
import { RequireSession } from "../session/require-session";
import { useStored } from "../session/stored";
import { texts } from "../texts";
import { deferred, Later } from "../ui/deferred";
import { PageSkeleton } from "../ui/page";
import { ErrorBoundary } from "./error-boundary";
import { allDestinations, buildNavigation } from "./navigation";
import { OfflineBar } from "./offline-bar";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";
import { useShortcuts } from "./use-shortcuts";

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
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
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

function Frame() {
  const me = useMe();
  const { data: pages, isError } = useQuery(pagesQuery);
  const waiting = useWaiting();
  const navigation = useMemo(
    () => buildNavigation(me, isError ? [] : pages, waiting),
    [me, pages, isError, waiting],
  );
  const [sidebar, setSidebar] = useStored("assent.sidebar");
  const drawer = useOverlay();
  const help = useOverlay();
  const main = useFocusOnNavigation();
  const collapsed = sidebar === "collapsed";
  const toggle = () => setSidebar(collapsed ? null : "collapsed");
  const destinations = allDestinations(navigation);
  useShortcuts({ destinations, onHelp: help.show, onToggleSidebar: toggle });

  return (
    <div className="flex min-h-dvh flex-col md:h-dvh md:flex-row">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-accent px-3 py-2 font-medium text-on-accent focus-visible:translate-y-0"
      >
        {texts.shell.skip}
      </a>
      <Sidebar navigation={navigation} collapsed={collapsed} onToggle={toggle} onHelp={help.show} />
      <TopBar waiting={waiting} onMenu={drawer.show} />
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
      <div className="flex min-h-0 min-w-0 flex-1 flex-col md:py-2 md:pr-2">
        <OfflineBar />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="min-h-0 flex-1 bg-surface outline-none! md:overflow-y-auto md:rounded-xl md:border md:border-line md:shadow-soft"
        >
          <ErrorBoundary>
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      {help.needed && (
        <Later>
          {" "}
          <ShortcutList open={help.open} onClose={help.hide} destinations={destinations} />
        </Later>
      )}
    </div>
  );
}
