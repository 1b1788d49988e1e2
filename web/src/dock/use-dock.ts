/**
 * Where the assistant is: on its own page, docked beside the others, or put away.
 *
 * There is one chat on the screen and one component that shows it. Going from page to page only
 * moves it, so that what is typed, what is being answered and what is scrolled to stay.
 */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import {
  NavigationType,
  useLocation,
  useMatch,
  useNavigate,
  useNavigationType,
} from "react-router";
import { useChatOn } from "../chat/credits-bar";
import { readKept, writeKept } from "../chat/draft";
import { chatPath, NEW_CHAT_PATH } from "../chat/paths";
import type { ChatPlace } from "../chat/place";
import { readStored, writeStored } from "../session/stored";
import { useWide } from "./use-wide";

const OPEN = "assent.dock";
const CHAT = "assent.dock.chat";
const FALLBACK_PAGE = "/proposals";

/** Kept for the next visit, but other tabs stay as they are. */
function useRememberedOpen() {
  const [open, setOpen] = useState(() => readStored(OPEN) === "open");
  const remember = useCallback((next: boolean) => {
    setOpen(next);
    writeStored(OPEN, next ? "open" : null);
  }, []);
  return [open, remember] as const;
}

/** The chat that this tab looked at last. */
function useLastChat(onPage: string | null) {
  const [id, setId] = useState(() => readKept(CHAT) || null);
  const show = useCallback((next: string | null) => {
    setId(next);
    writeKept(CHAT, next ?? "");
  }, []);
  useEffect(() => {
    if (onPage !== null) show(onPage);
  }, [onPage, show]);
  return [onPage ?? id, show] as const;
}

/** The page that was looked at last which is no chat. */
function useLastPage(isChat: boolean) {
  const { pathname, search } = useLocation();
  const last = useRef(FALLBACK_PAGE);
  useEffect(() => {
    if (!isChat) last.current = pathname + search;
  }, [isChat, pathname, search]);
  return last;
}

/** Whoever goes somewhere wants to see it; a sheet would cover it. */
function useCloseOnGoing(close: () => void): void {
  const { pathname } = useLocation();
  const went = useNavigationType() !== NavigationType.Replace;
  const openedAt = useRef(pathname);
  useEffect(() => {
    if (openedAt.current === pathname) return;
    openedAt.current = pathname;
    if (went) close();
  }, [pathname, went, close]);
}

function useFocusCount(onPage: string | null) {
  const [focus, setFocus] = useState(0);
  const ask = useCallback(() => setFocus((times) => times + 1), []);
  useEffect(() => {
    if (onPage !== null) ask();
  }, [onPage, ask]);
  return [focus, ask] as const;
}

/** Beside the page as it was left; above it only when asked for. */
function useOpenness() {
  const wide = useWide();
  const [beside, setBeside] = useRememberedOpen();
  const [above, setAbove] = useState(false);
  const setOpen = wide ? setBeside : setAbove;
  const uncover = useCallback(() => setAbove(false), []);
  useCloseOnGoing(uncover);
  return { wide, open: wide ? beside : above, setOpen };
}

export function useDock() {
  const navigate = useNavigate();
  const chatOn = useChatOn();
  const onPage = useMatch("/chat/:conversationId")?.params.conversationId ?? null;
  const starts = useMatch(NEW_CHAT_PATH) !== null;
  const { wide, open, setOpen } = useOpenness();
  const [chatId, show] = useLastChat(onPage);
  const [focus, askFocus] = useFocusCount(onPage);
  const isChat = onPage !== null || starts;
  const lastPage = useLastPage(isChat);
  const docked = !isChat && open && chatOn;

  const place = useMemo<ChatPlace>(
    () => ({
      docked,
      shownId: docked ? chatId : onPage,
      focus,
      open: (id) => (docked ? show(id) : void navigate(chatPath(id))),
      startNew: () => (docked ? show(null) : void navigate(NEW_CHAT_PATH)),
      move: () => {
        if (!docked) setOpen(true);
        void navigate(docked && chatId !== null ? chatPath(chatId) : lastPage.current);
      },
      close: () => setOpen(false),
    }),
    [docked, chatId, onPage, focus, show, navigate, setOpen, lastPage],
  );

  return {
    place,
    /** The chat that is shown, or would be. */
    chatId,
    onPage: onPage !== null,
    /** It lies above everything else, which cannot be used meanwhile. */
    sheet: docked && !wide,
    /** There is a button for it. */
    offered: !isChat && chatOn,
    toggle: () => {
      setOpen(!open);
      if (!open) askFocus();
    },
    /** By keyboard: opened first, then gone to, then put away. */
    summon: (isInside: boolean) => {
      if (docked && isInside) return setOpen(false);
      if (!isChat) setOpen(true);
      askFocus();
    },
  };
}

export type Dock = ReturnType<typeof useDock>;
