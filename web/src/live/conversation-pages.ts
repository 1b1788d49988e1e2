/** The list of chats as it is kept, page by page, and what an announcement makes of it. Pure. */

import type { InfiniteData } from "@tanstack/react-query";
import type { Conversation, List } from "../api/types";

export type ConversationPages = InfiniteData<List<Conversation>, string | null>;

function mapItems(
  data: ConversationPages,
  change: (items: Conversation[]) => Conversation[],
): ConversationPages {
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) };
}

export function removeConversation(data: ConversationPages, id: string): ConversationPages {
  return mapItems(data, (items) => items.filter((item) => item.id !== id));
}

/** What is listed stays where it is; what is not listed is not added. */
export function patchConversation(
  data: ConversationPages,
  id: string,
  change: Partial<Conversation>,
): ConversationPages {
  return mapItems(data, (items) =>
    items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  );
}

function insert(items: readonly Conversation[], one: Conversation): Conversation[] {
  const place = items.findIndex(({ activeAt }) => activeAt <= one.activeAt);
  return place < 0 ? [...items, one] : [...items.slice(0, place), one, ...items.slice(place)];
}

/** Below the last one that is shown there may be others that were not read yet. */
function belongs({ items, nextCursor }: List<Conversation>, one: Conversation): boolean {
  const last = items.at(-1);
  return !nextCursor || (last !== undefined && last.activeAt <= one.activeAt);
}

function isAtPlace(data: ConversationPages, { id, activeAt }: Conversation): boolean {
  return data.pages.some(({ items }) =>
    items.some((item) => item.id === id && item.activeAt === activeAt),
  );
}

/** In its place by when it was last used, the latest first. */
export function placeConversation(data: ConversationPages, one: Conversation): ConversationPages {
  if (isAtPlace(data, one)) return patchConversation(data, one.id, one);
  const others = removeConversation(data, one.id);
  const at = others.pages.findIndex((page) => belongs(page, one));
  const pages = others.pages.map((page, index) =>
    index === at ? { ...page, items: insert(page.items, one) } : page,
  );
  return { ...others, pages };
}
