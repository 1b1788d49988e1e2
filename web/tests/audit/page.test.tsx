import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { AuditEntry } from "../../src/api/types";
import { AuditPage } from "../../src/audit/page";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";
import { type Asked, stubServer } from "../server";

const LIST = "GET /api/audit";
const words = texts.audit;
const HASH = "0123456789abcdef".repeat(4);

function makeEntry(fields: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: "entry-1",
    occurredAt: "2026-03-10T12:00:00Z",
    edge: "rest",
    action: "catalog.createSystem",
    effect: "mutate",
    status: "applied",
    actor: { kind: "application", id: "app-1", name: "pipeline" },
    decider: { kind: "user", id: "user-ada", name: "Ada Okafor" },
    argumentsHash: HASH,
    conversationId: null,
    runId: null,
    proposalId: "proposal-1",
    sealed: true,
    ...fields,
  };
}

function open(at = "/audit", rules = ["audit.entry.read"]) {
  renderPage(<AuditPage />, { me: { ...ADA, rules }, at });
}

function serve(...items: AuditEntry[]) {
  return stubServer({ [LIST]: { body: { items, nextCursor: null } } });
}

describe("AuditPage", () => {
  it("shows who did what, who decided, how it came and what became of it", async () => {
    serve(makeEntry());
    open();
    expect(await screen.findByText("catalog.createSystem")).toBeVisible();
    expect(screen.getAllByText("pipeline")[0]).toBeInTheDocument();
    expect(screen.getAllByText("Ada Okafor")[0]).toBeInTheDocument();
    expect(screen.getAllByText(words.edges.rest, { exact: false })[0]).toBeInTheDocument();
    expect(screen.getAllByText(words.statuses.applied)[0]).toBeInTheDocument();
    expect(screen.getByRole("img", { name: words.sealed })).toBeVisible();
    expect(screen.getByRole("link", { name: words.toProposal })).toHaveAttribute(
      "href",
      "/proposals/proposal-1",
    );
  });

  it("copies the whole hash of the arguments", async () => {
    serve(makeEntry());
    vi.stubGlobal("isSecureContext", true);
    userEvent.setup();
    open();
    const [copy] = await screen.findAllByRole("button", { name: /0123456789ab/ });
    await userEvent.click(copy as HTMLElement);
    expect(await navigator.clipboard.readText()).toBe(HASH);
  });

  it("says what is not sealed yet and links no proposal where there is none", async () => {
    serve(makeEntry({ sealed: false, proposalId: null, decider: null }));
    open();
    expect(await screen.findByRole("img", { name: words.unsealed })).toBeVisible();
    expect(screen.queryByRole("link", { name: words.toProposal })).toBeNull();
  });

  it("narrows by what the address says, and by nothing that does not exist", async () => {
    const asked = serve(makeEntry());
    open("/audit?edge=mcp&status=failed&effect=nonsense&q=catalog");
    await screen.findByRole("table");
    expect(Object.fromEntries(asked[0]?.query ?? [])).toEqual({
      edge: "mcp",
      status: "failed",
      action: "catalog",
      limit: "50",
    });
  });

  it("narrows to a period that begins where it says", async () => {
    const asked = serve(makeEntry());
    open();
    await screen.findByRole("table");
    await userEvent.click(screen.getByRole("combobox", { name: words.time }));
    await userEvent.click(await screen.findByRole("option", { name: words.periods.week }));
    await vi.waitFor(() => expect(asked.at(-1)?.query.has("since")).toBe(true));
    const since = Date.parse(asked.at(-1)?.query.get("since") ?? "");
    expect(Math.abs(Date.now() - since - 7 * 86_400_000)).toBeLessThan(60_000);
  });

  it("finds an action by typing", async () => {
    const asked = serve(makeEntry());
    open();
    await userEvent.type(await screen.findByLabelText(words.search), "delete");
    await vi.waitFor(() => expect(asked.at(-1)?.query.get("action")).toBe("delete"));
  });

  it("loads more", async () => {
    stubServer({
      [LIST]: ({ query }: Asked) => ({
        body: query.has("cursor")
          ? { items: [makeEntry({ id: "2", action: "older" })], nextCursor: null }
          : { items: [makeEntry({ id: "1", action: "newer" })], nextCursor: "b" },
      }),
    });
    open();
    await userEvent.click(await screen.findByRole("button", { name: texts.actions.loadMore }));
    expect(await screen.findByText("older")).toBeVisible();
  });

  it("clears filters that leave nothing", async () => {
    stubServer({
      [LIST]: ({ query }: Asked) => ({
        body: { items: query.has("status") ? [] : [makeEntry()], nextCursor: null },
      }),
    });
    open("/audit?status=voided");
    await userEvent.click(await screen.findByRole("button", { name: texts.actions.clearFilters }));
    expect(await screen.findByText("catalog.createSystem")).toBeVisible();
  });

  it("shows words that it does not know as they are", async () => {
    serve(makeEntry({ edge: "pigeon", status: "pondered" }));
    open();
    expect((await screen.findAllByText("pondered"))[0]).toBeInTheDocument();
    expect(screen.getAllByText("pigeon", { exact: false })[0]).toBeInTheDocument();
  });

  it("is only for those who may read it", () => {
    const asked = serve();
    open("/audit", []);
    expect(screen.getByText("audit.entry.read")).toBeVisible();
    expect(asked).toEqual([]);
  });
});
