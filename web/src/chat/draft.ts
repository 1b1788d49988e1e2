/** What was typed and not sent, kept for each chat as long as the tab is open. */

import { useState } from "react";

const keyOf = (conversationId: string) => `assent.draft.${conversationId}`;

export function readKept(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function writeKept(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    return;
  }
}

export function useDraft(conversationId: string): [string, (text: string) => void] {
  const key = keyOf(conversationId);
  const [text, setText] = useState(() => readKept(key));
  return [
    text,
    (next) => {
      setText(next);
      writeKept(key, next);
    },
  ];
}
