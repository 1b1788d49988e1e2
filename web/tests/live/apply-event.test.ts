import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CONVERSATION_LIST, conversationKey } from "../../src/api/conversations";
import { parseProblem } from "../../src/api/problem";
import { PROPOSALS, proposalKey } from "../../src/api/proposals";
import type { ConversationView } from "../../src/api/types";
import { applyEvent } from "../../src/live/apply-event";
import type { ConversationPages } from "../../src/live/conversation-pages";
import { createQueryClient } from "../../src/session/query-client";
import { makeView } from "../chat/make";

const ALL = [...CONVERSATION_LIST, { search: "" }, "paged"];
const FOUND = [...CONVERSATION_LIST, { search: "old" }, "paged"];
const OLD = makeView({ id: "old", title: "Old" });
const LISTED: ConversationPages = {
  pages: [{ items: [OLD], nextCursor: null }],
  pageParams: [null],
};

let client: QueryClient;

beforeEach(() => {
  client = createQueryClient();
  client.setQueryData(ALL, LISTED);
  client.setQueryData(FOUND, LISTED);
  client.setQueryData(proposalKey("p1"), {});
  client.setQueryData(proposalKey("p2"), {});
  client.setQueryData([...PROPOSALS, "waiting"], {});
  client.setQueryData(["systems"], {});
  client.setQueryData(conversationKey("old"), OLD);
});

const titles = (key: readonly unknown[]) =>
  client
    .getQueryData<ConversationPages>(key)
    ?.pages.flatMap(({ items }) => items.map(({ title }) => title));
const isStale = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;

describe("conversation.changed", () => {
  it("shows a new one in the list, but not among what was searched for", () => {
    const conversation = makeView({ id: "new", title: "New", activeAt: "2026-11-15T11:00:00Z" });
    applyEvent(client, { type: "conversation.changed", conversation });
    expect(titles(ALL)).toEqual(["New", "Old"]);
    expect(titles(FOUND)).toEqual(["Old"]);
  });

  it("shows a new one among those of its workspace only", () => {
    const here = [...CONVERSATION_LIST, { search: "", workspaceId: "payments" }, "paged"];
    const there = [...CONVERSATION_LIST, { search: "", workspaceId: "platform" }, "paged"];
    for (const key of [here, there]) client.setQueryData(key, LISTED);
    const conversation = makeView({
      id: "new",
      title: "New",
      workspaceId: "payments",
      activeAt: "2026-11-15T11:00:00Z",
    });
    applyEvent(client, { type: "conversation.changed", conversation });
    expect(titles(here)).toEqual(["New", "Old"]);
    expect(titles(there)).toEqual(["Old"]);
  });

  it("changes a known one everywhere", () => {
    const conversation = { ...OLD, title: "Renamed", status: "waiting" as const };
    applyEvent(client, { type: "conversation.changed", conversation });
    expect(titles(ALL)).toEqual(["Renamed"]);
    expect(titles(FOUND)).toEqual(["Renamed"]);
    expect(client.getQueryData<ConversationView>(conversationKey("old"))).toMatchObject({
      title: "Renamed",
      status: "waiting",
      pending: [],
    });
  });
});

it("conversation.removed takes it out of the lists", () => {
  applyEvent(client, { type: "conversation.removed", conversationId: "old" });
  expect(titles(ALL)).toEqual([]);
  expect(titles(FOUND)).toEqual([]);
});

describe("proposal.changed", () => {
  const changed = { type: "proposal.changed", proposalId: "p1", conversationId: null } as const;

  it("reads that card and the lists again, and nothing else", () => {
    applyEvent(client, { ...changed, state: "declined" });
    expect(isStale(proposalKey("p1"))).toBe(true);
    expect(isStale([...PROPOSALS, "waiting"])).toBe(true);
    expect(isStale(proposalKey("p2"))).toBe(false);
    expect(isStale(["systems"])).toBe(false);
  });

  it("reads all pages again when something was applied", () => {
    applyEvent(client, { ...changed, state: "applied" });
    expect(isStale(["systems"])).toBe(true);
    expect(isStale(proposalKey("p2"))).toBe(false);
    expect(isStale(ALL)).toBe(false);
  });
});

it("hello reads the lists again", () => {
  applyEvent(client, { type: "hello" });
  expect(isStale(ALL)).toBe(true);
  expect(isStale(proposalKey("p2"))).toBe(true);
  expect(isStale(["systems"])).toBe(false);
});

it("hello asks once more for what failed, if that can be different now", async () => {
  const failed = [503, 404, 200].map((status) => {
    const error = parseProblem(new Response(null, { status }), {});
    const queryFn = vi.fn(() => (status === 200 ? Promise.resolve({}) : Promise.reject(error)));
    new QueryObserver(client, { queryKey: [status], queryFn, retry: false }).subscribe(() => {});
    return queryFn;
  });
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  applyEvent(client, { type: "hello" });
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(failed.map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1]);
});
