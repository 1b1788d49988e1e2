import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { AuditEntry, VerifiedStretch } from "../../src/api/types";
import { AuditPage } from "../../src/audit/page";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";
import { type Asked, problem, stubServer } from "../server";

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
    position: 7,
    ...fields,
  };
}

function makeStretch(fields: Partial<VerifiedStretch> = {}): VerifiedStretch {
  return {
    after: 0,
    through: 7,
    throughAt: "2026-03-10T12:00:00Z",
    heads: 3,
    findings: [],
    faults: 0,
    nextAfter: null,
    ...fields,
  };
}

function makeSeal(position: number | null, unsealed = 0) {
  const signedAt = "2026-03-10T12:00:01Z";
  const lastHead = position === null ? null : { position, link: HASH, signedAt };
  return { body: { sealedThrough: null, unsealed, lastHead } };
}

const STATUS = "GET /api/audit/status";
const VERIFY = "GET /api/audit/verify";
const SOUND = { [STATUS]: makeSeal(7), [VERIFY]: { body: makeStretch() } };
const EMPTY = { body: { items: [], nextCursor: null } };

function open(at = "/audit", rules = ["audit.entry.read"]) {
  renderPage(<AuditPage />, { me: { ...ADA, rules }, at });
}

function serve(...items: AuditEntry[]) {
  return stubServer({ ...SOUND, [LIST]: { body: { items, nextCursor: null } } });
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
  });

  it("opens an entry with all that is known of it, and gives the focus back", async () => {
    serve(makeEntry());
    open();
    const row = await screen.findByRole("button", { name: words.open("catalog.createSystem") });
    await userEvent.click(row);
    const dialog = within(await screen.findByRole("dialog", { name: "catalog.createSystem" }));
    expect(dialog.getByText(HASH)).toBeVisible();
    expect(dialog.getByText(words.details.sealed(7))).toBeVisible();
    expect(dialog.getByText(words.details.kinds.application)).toBeVisible();
    expect(dialog.getByRole("link", { name: words.details.toProposal })).toHaveAttribute(
      "href",
      "/proposals/proposal-1",
    );
    await userEvent.keyboard("{Escape}");
    await vi.waitFor(() => expect(row).toHaveFocus());
  });

  it("narrows to whoever did it, and takes that away again", async () => {
    const id = "01a1e297-6bd9-73dc-9102-04b7de972be2";
    const asked = serve(makeEntry({ actor: { kind: "user", id, name: "Zoë" } }));
    open();
    await userEvent.click(
      await screen.findByRole("button", { name: words.open("catalog.createSystem") }),
    );
    await userEvent.click(
      await screen.findByRole("button", { name: words.details.onlyActor("Zoë") }),
    );
    const listed = () => asked.filter(({ path }) => path === "/api/audit");
    await vi.waitFor(() => expect(listed().at(-1)?.query.get("principalId")).toBe(id));
    await userEvent.click(
      await screen.findByRole("button", { name: texts.actions.remove(words.by("Zoë")) }),
    );
    await vi.waitFor(() =>
      expect(
        screen.queryByRole("button", { name: texts.actions.remove(words.by("Zoë")) }),
      ).toBeNull(),
    );
  });

  it("offers what is shown as a table, and the sealed log", async () => {
    serve(makeEntry());
    open("/audit?edge=mcp");
    await userEvent.click(await screen.findByRole("button", { name: words.download.title }));
    expect(await screen.findByRole("menuitem", { name: words.download.entries })).toHaveAttribute(
      "href",
      "/api/audit/export?edge=mcp",
    );
    expect(screen.getByRole("menuitem", { name: words.download.log })).toHaveAttribute(
      "href",
      "/api/audit/log",
    );
  });

  it("copies the whole hash of the arguments", async () => {
    serve(makeEntry());
    vi.stubGlobal("isSecureContext", true);
    userEvent.setup();
    open();
    await userEvent.click(
      await screen.findByRole("button", { name: words.open("catalog.createSystem") }),
    );
    await userEvent.click(await screen.findByRole("button", { name: /0123456789ab/ }));
    expect(await navigator.clipboard.readText()).toBe(HASH);
  });

  it("says what is not sealed yet and links no proposal where there is none", async () => {
    serve(makeEntry({ sealed: false, proposalId: null, decider: null }));
    open();
    expect(await screen.findByRole("img", { name: words.unsealed })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: words.open("catalog.createSystem") }));
    await screen.findByRole("dialog");
    expect(screen.queryByRole("link", { name: words.details.toProposal })).toBeNull();
  });

  it("narrows by what the address says, and by nothing that does not exist", async () => {
    const asked = serve(makeEntry());
    open("/audit?edge=mcp&status=failed&effect=nonsense&who=me&q=catalog");
    await screen.findByRole("table");
    const listed = asked.find(({ path }) => path === "/api/audit");
    expect(Object.fromEntries(listed?.query ?? [])).toEqual({
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
      ...SOUND,
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
      ...SOUND,
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

describe("the chain", () => {
  it("checks a short log at once and says up to where it is as it was written", async () => {
    serve(makeEntry());
    open();
    expect(await screen.findByText(words.chain.soundTitle(7))).toBeVisible();
    expect(screen.getByText(words.chain.soundBody(3), { exact: false })).toBeVisible();
  });

  it("checks a long one on demand, stretch by stretch", async () => {
    const asked = stubServer({
      [LIST]: EMPTY,
      [STATUS]: makeSeal(9_000),
      [VERIFY]: ({ query }: Asked) => ({
        body:
          query.get("after") === "0"
            ? makeStretch({ through: 5_000, nextAfter: 5_000 })
            : makeStretch({ after: 5_000, through: 9_000 }),
      }),
    });
    open();
    expect(await screen.findByText(words.chain.idleTitle(9_000))).toBeVisible();
    expect(asked.some(({ path }) => path === "/api/audit/verify")).toBe(false);
    await userEvent.click(screen.getByRole("button", { name: words.chain.verify }));
    expect(await screen.findByText(words.chain.soundTitle(9_000))).toBeVisible();
    const afters = asked
      .filter(({ path }) => path === "/api/audit/verify")
      .map(({ query }) => query.get("after"));
    expect(afters).toEqual(["0", "5000"]);
    expect(screen.getByText(words.chain.soundBody(6), { exact: false })).toBeVisible();
  });

  it("says what was done and where", async () => {
    const message = "Entry 3 (…) was changed.";
    const findings = [{ fault: "changed" as const, first: 3, last: 3, message }];
    stubServer({
      [LIST]: EMPTY,
      [STATUS]: makeSeal(7),
      [VERIFY]: { body: makeStretch({ findings, faults: 1 }) },
    });
    open();
    expect(await screen.findByText(words.chain.brokenTitle)).toBeVisible();
    expect(screen.getByText(message)).toBeVisible();
    expect(screen.getByText(words.chain.brokenBody(1))).toBeVisible();
  });

  it("says when nothing is sealed, and what is not sealed yet", async () => {
    stubServer({ [LIST]: EMPTY, [STATUS]: makeSeal(null, 3) });
    open();
    expect(await screen.findByText(words.chain.emptyTitle)).toBeVisible();
    expect(screen.getByText(words.chain.unsealed(3), { exact: false })).toBeVisible();
    expect(screen.queryByRole("button", { name: words.chain.verify })).toBeNull();
  });

  it("says why it could not be checked, and tries again", async () => {
    let broken = true;
    stubServer({
      ...SOUND,
      [LIST]: EMPTY,
      [VERIFY]: () => (broken ? problem(503) : { body: makeStretch() }),
    });
    open();
    expect(await screen.findByText(words.chain.failedTitle)).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: words.chain.again }));
    expect(await screen.findByText(words.chain.soundTitle(7))).toBeVisible();
  });
});
