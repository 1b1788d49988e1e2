/** The keyboard: `g` and a letter goes somewhere, `/` searches, `?` helps, `[` and `]` are the sides. */

import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import type { Destination } from "./navigation";

const SECOND_KEY_MS = 1_500;

interface Shortcuts {
  destinations: readonly Destination[];
  onHelp: () => void;
  onToggleSidebar: () => void;
  onDock: () => void;
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

/** Also while one types. The dock itself is no dialog that would have to be answered first. */
function asksForDock(event: KeyboardEvent): boolean {
  const held = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const isKey = held && event.key.toLowerCase() === "j" && !event.defaultPrevented;
  return isKey && document.querySelector("[role=dialog]:not([data-chat-frame])") === null;
}

/** Where a page has no search one writes to the assistant. */
function focusSearch(): boolean {
  const search =
    document.querySelector<HTMLInputElement>("[data-page-search]") ??
    document.querySelector<HTMLTextAreaElement>("[data-composer]");
  search?.focus();
  if (search instanceof HTMLInputElement) search.select();
  return search !== null;
}

function done(deed: () => void): true {
  deed();
  return true;
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

    const deeds: Record<string, () => boolean> = {
      "/": focusSearch,
      "?": () => done(current.current.onHelp),
      "[": () => done(current.current.onToggleSidebar),
      "]": () => done(current.current.onDock),
    };
    const act = (key: string) => deeds[key]?.() ?? false;

    const read = createReader(act, go);
    const onKeyDown = (event: KeyboardEvent) => {
      if (!asksForDock(event)) return read(event);
      event.preventDefault();
      current.current.onDock();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [navigate]);
}
