/** What was typed and not sent, kept for each chat as long as the tab is open. */

import { useState } from "react";

const keyOf = (conversationId: string) => `assent.draft.${conversationId}`;

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): void {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    return;
  }
}

export function useDraft(conversationId: string): [string, (text: string) => void] {
  const key = keyOf(conversationId);
  const [text, setText] = useState(() => read(key));
  return [
    text,
    (next) => {
      setText(next);
      write(key, next);
    },
  ];
}
