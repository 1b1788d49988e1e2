import { describe, expect, it } from "vitest";
import type { Conversation } from "../../src/api/types";
import {
  type ConversationPages,
  patchConversation,
  placeConversation,
  removeConversation,
} from "../../src/live/conversation-pages";
import { makeView } from "../chat/make";

const at = (id: string, minute: number): Conversation =>
  makeView({ id, activeAt: `2026-11-15T10:${String(minute).padStart(2, "0")}:00Z` });

function pages(...lists: [Conversation[], string | null][]): ConversationPages {
  return {
    pages: lists.map(([items, nextCursor]) => ({ items, nextCursor })),
    pageParams: lists.map(() => null),
  };
}

const idsOf = (data: ConversationPages) =>
  data.pages.map(({ items }) => items.map(({ id }) => id).join(""));

const TWO = pages([[at("a", 50), at("b", 40)], "next"], [[at("c", 30), at("d", 20)], "more"]);

describe("placing a conversation", () => {
  it.each([
    ["a new one comes first", at("n", 55), ["nab", "cd"]],
    ["one that was used moves up", at("d", 55), ["dab", "c"]],
    ["one that did not move stays", at("b", 40), ["ab", "cd"]],
    ["one in between goes there", at("n", 25), ["ab", "cnd"]],
    ["one below what was read is not shown yet", at("n", 10), ["ab", "cd"]],
  ])("%s", (_, one, ids) => {
    expect(idsOf(placeConversation(TWO, one))).toEqual(ids);
  });

  it("shows the first one of all", () => {
    expect(idsOf(placeConversation(pages([[], null]), at("n", 1)))).toEqual(["n"]);
  });

  it("shows the oldest at the end when everything was read", () => {
    expect(idsOf(placeConversation(pages([[at("a", 50)], null]), at("n", 1)))).toEqual(["an"]);
  });

  it("takes over what is new about it", () => {
    const [first] = placeConversation(TWO, { ...at("b", 40), unread: true }).pages;
    expect(first?.items[1]).toMatchObject({ id: "b", unread: true });
  });
});

it("removes a conversation wherever it is", () => {
  expect(idsOf(removeConversation(TWO, "c"))).toEqual(["ab", "d"]);
  expect(idsOf(removeConversation(TWO, "x"))).toEqual(["ab", "cd"]);
});

it("changes only what is listed", () => {
  const changed = patchConversation(TWO, "c", { title: "Other" });
  expect(changed.pages[1]?.items[0]).toMatchObject({ id: "c", title: "Other" });
  expect(idsOf(patchConversation(TWO, "x", { title: "Other" }))).toEqual(["ab", "cd"]);
});
