/** The frame around every page of a signed-in person: sidebar, top bar on a phone, content. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { pagesQuery } from "../api/pages";
import { useMe } from "../session/me";
import { RequireSession } from "../session/require-session";
import { useStored } from "../session/stored";
import { texts } from "../texts";
import { Drawer } from "./drawer";
import { allDestinations, buildNavigation } from "./navigation";
import { OfflineBar } from "./offline-bar";
import { ShortcutList } from "./shortcut-list";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";
import { useShortcuts } from "./use-shortcuts";

export function Shell() {
  return (
    <RequireSession>
      <Frame />
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

function Frame() {
  const me = useMe();
  const { data: pages } = useQuery(pagesQuery);
  const navigation = useMemo(() => buildNavigation(me, pages ?? []), [me, pages]);
  const [sidebar, setSidebar] = useStored("assent.sidebar");
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [helpOpen, setHelpOpen] = useState(false);
  const main = useFocusOnNavigation();
  const collapsed = sidebar === "collapsed";
  const toggle = () => setSidebar(collapsed ? null : "collapsed");
  const destinations = allDestinations(navigation);
  const showHelp = () => setHelpOpen(true);

  useShortcuts({ destinations, onHelp: showHelp, onToggleSidebar: toggle });

  return (
    <div className="flex min-h-dvh flex-col md:h-dvh md:flex-row">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-lg bg-accent px-3 py-2 font-medium text-on-accent focus-visible:translate-y-0"
      >
        {texts.shell.skip}
      </a>
      <Sidebar navigation={navigation} collapsed={collapsed} onToggle={toggle} onHelp={showHelp} />
      <TopBar onMenu={() => setDrawerOpen(true)} />
      <Drawer
        open={drawerOpen}
        onClose={() => setDrawerOpen(false)}
        navigation={navigation}
        onHelp={showHelp}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col md:py-2 md:pr-2">
        <OfflineBar />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className="min-h-0 flex-1 bg-surface outline-none! md:overflow-y-auto md:rounded-xl md:border md:border-line md:shadow-soft"
        >
          <Outlet />
        </main>
      </div>
      <ShortcutList
        open={helpOpen}
        onClose={() => setHelpOpen(false)}
        destinations={destinations}
      />
    </div>
  );
}
