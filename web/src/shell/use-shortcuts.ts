/** The keyboard: `g` and a letter goes somewhere, `/` searches, `?` helps, `[` folds the sidebar. */

import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import type { Destination } from "./navigation";

const SECOND_KEY_MS = 1_500;

interface Shortcuts {
  destinations: readonly Destination[];
  onHelp: () => void;
  onToggleSidebar: () => void;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input, textarea, select, [role=combobox]") !== null)
  );
}

function isBlocked(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (isTyping(event.target)) return true;
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null;
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("[data-page-search]");
  search?.focus();
  search?.select();
  return search !== null;
}

/** Reads keys one by one and answers what they mean; remembers only that `g` was just pressed. */
function createReader(act: (key: string) => boolean, go: (letter: string) => boolean) {
  let goPressedAt = Number.NEGATIVE_INFINITY;
  return (event: KeyboardEvent): void => {
    if (isBlocked(event)) return;
    const second = event.timeStamp - goPressedAt < SECOND_KEY_MS;
    goPressedAt = event.key === "g" && !second ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (second ? go(event.key) : act(event.key)) event.preventDefault();
  };
}

export function useShortcuts(shortcuts: Shortcuts): void {
  const navigate = useNavigate();
  const current = useRef(shortcuts);
  current.current = shortcuts;

  useEffect(() => {
    function go(letter: string): boolean {
      const destination = current.current.destinations.find((entry) => entry.letter === letter);
      if (destination) void navigate(destination.to);
      return destination !== undefined;
    }

    function act(key: string): boolean {
      if (key === "/") return focusSearch();
      if (key === "?") current.current.onHelp();
      if (key === "[") current.current.onToggleSidebar();
      return key === "?" || key === "[";
    }

    const onKeyDown = createReader(act, go);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [navigate]);
}
