/**
 * Chats in which nothing was said yet. They are what "New chat" opens, not something to go back to.
 *
 * The list does not say whether a chat is empty. It is, as long as it was last used when it was
 * opened: what is said in it, and nothing else, moves that on.
 */

import type { Conversation } from "../api/types";
import { useStored } from "../session/stored";

const KEY = "assent.emptyChat";
/** The two times of a new row are taken one after the other. */
const SAME_MS = 5;

type Opened = Pick<Conversation, "id" | "activeAt">;

const markOf = ({ id, activeAt }: Opened) => `${id} ${activeAt}`;

export function isEmpty(conversation: Conversation, opened: string | null): boolean {
  const { titleSource, createdAt, activeAt } = conversation;
  if (titleSource !== "none") return false;
  const untouched = Math.abs(Date.parse(activeAt) - Date.parse(createdAt)) < SAME_MS;
  return untouched || markOf(conversation) === opened;
}

/** The chat that was opened last, and how to remember one. */
export function useEmptyDraft(): [string | null, (opened: Opened) => void] {
  const [mark, setMark] = useStored(KEY);
  return [mark, (opened) => setMark(markOf(opened))];
}
