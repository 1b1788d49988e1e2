/** Cursor-paged lists, as a growing list for people and as a whole for pickers. */

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { List } from "./types";

interface PageRequest {
  cursor?: string;
  limit: number;
}

export type ReadPage<Item> = (paging: PageRequest) => Promise<List<Item>>;

const SCREEN = 50;
const MOST = 200;
/** A picker reads at most this many pages; 5,000 entries are more than anyone scrolls through. */
const PICKER_PAGES = 25;

function request(cursor: string | null, limit: number): PageRequest {
  return cursor === null ? { limit } : { cursor, limit };
}

export function pagedQuery<Item>(key: readonly unknown[], read: ReadPage<Item>) {
  return infiniteQueryOptions({
    queryKey: [...key, "paged"],
    queryFn: ({ pageParam }) => read(request(pageParam, SCREEN)),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
    select: (data) => data.pages.flatMap((page) => page.items),
  });
}

export async function readAll<Item>(read: ReadPage<Item>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PICKER_PAGES; page += 1) {
    const list: List<Item> = await read(request(cursor, MOST));
    items.push(...list.items);
    cursor = list.nextCursor ?? null;
    if (cursor === null) break;
  }
  return items;
}

export function wholeQuery<Item>(key: readonly unknown[], read: ReadPage<Item>) {
  return queryOptions({ queryKey: [...key, "whole"], queryFn: () => readAll(read) });
}
