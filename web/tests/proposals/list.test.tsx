import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { ProposalLine } from "../../src/api/types";
import { type ListKind, ProposalList } from "../../src/proposals/list";
import { countWaiting } from "../../src/proposals/waiting";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { type Asked, problem, stubServer } from "../server";
import { inMinutes, makeLine } from "./make";

const LIST = "GET /api/proposals";
const words = texts.proposals;

function serve(...items: ProposalLine[]) {
  return stubServer({ [LIST]: { body: { items, nextCursor: null } } });
}

function open(kind: ListKind, at = "/") {
  renderPage(<ProposalList kind={kind} />, { at });
}

describe("ProposalList", () => {
  it("lists changes, with who proposed it and how long is left", async () => {
    const asked = serve(makeLine({ summary: "Create billing" }));
    open("all");
    const link = await screen.findByRole("link", { name: "Create billing" });
    expect(link).toHaveAttribute("href", "/proposals/proposal-1");
    expect(screen.getAllByText("Grace Lindqvist")[0]).toBeInTheDocument();
    expect(screen.getAllByText(words.edges.mcp, { exact: false })[0]).toBeInTheDocument();
    expect(screen.getAllByText(texts.card.left("7 min"))[0]).toBeInTheDocument();
    expect(Object.fromEntries(asked[0]?.query ?? [])).toEqual({ limit: "50" });
  });

  it("marks what destroys, what sends data out, and what waits for somebody else", async () => {
    serve(
      makeLine({ id: "1", effect: "destructive" }),
      makeLine({ id: "2", egress: true }),
      makeLine({ id: "3", mayDecide: false }),
    );
    open("all");
    expect(await screen.findByText(words.effects.destructive)).toBeVisible();
    expect(screen.getByText(words.egress)).toBeVisible();
    expect(screen.getAllByText(words.others)[0]).toBeInTheDocument();
  });

  it("asks for one's own and for one state", async () => {
    const asked = serve(makeLine({ state: "declined" }));
    open("mine", "/?state=declined");
    expect((await screen.findAllByText(words.states.declined))[0]).toBeInTheDocument();
    expect(asked[0]?.query.get("mine")).toBe("true");
    expect(asked[0]?.query.get("state")).toBe("declined");
  });

  it("narrows all to a state that is chosen", async () => {
    const asked = serve(makeLine({ state: "applied" }));
    open("all");
    await screen.findByRole("table");
    expect(asked[0]?.query.has("state")).toBe(false);
    await userEvent.click(screen.getByRole("combobox", { name: words.state }));
    await userEvent.click(await screen.findByRole("option", { name: words.states.failed }));
    await screen.findByRole("table");
    expect(asked.at(-1)?.query.get("state")).toBe("failed");
  });

  it("takes no state from the address that does not exist", async () => {
    const asked = serve(makeLine());
    open("all", "/?state=nonsense");
    await screen.findByRole("table");
    expect(asked[0]?.query.has("state")).toBe(false);
  });

  it("loads more", async () => {
    stubServer({
      [LIST]: ({ query }: Asked) =>
        query.get("cursor") === "b"
          ? { body: { items: [makeLine({ id: "2", summary: "Second" })], nextCursor: null } }
          : { body: { items: [makeLine({ id: "1", summary: "First" })], nextCursor: "b" } },
    });
    open("all");
    await userEvent.click(await screen.findByRole("button", { name: texts.actions.loadMore }));
    expect(await screen.findByRole("link", { name: "Second" })).toBeVisible();
    expect(screen.getByRole("link", { name: "First" })).toBeVisible();
    expect(screen.queryByRole("button", { name: texts.actions.loadMore })).toBeNull();
  });

  it.each<ListKind>(["mine", "all"])("says what is not there yet: %s", async (kind) => {
    serve();
    open(kind);
    expect(await screen.findByText(words.emptyTitle[kind])).toBeVisible();
  });

  it("offers to look at all when nothing is in the chosen state", async () => {
    serve();
    open("all", "/?state=voided");
    await userEvent.click(await screen.findByRole("button", { name: texts.actions.clearFilters }));
    expect(await screen.findByText(words.emptyTitle.all)).toBeVisible();
  });

  it("says what failed and tries again", async () => {
    let broken = true;
    stubServer({
      [LIST]: () =>
        broken ? problem(422, { detail: "Broken." }) : { body: { items: [], nextCursor: null } },
    });
    open("all");
    expect(await screen.findByText("Broken.")).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: texts.actions.retry }));
    expect(await screen.findByText(words.emptyTitle.all)).toBeVisible();
  });

  it("shows as expired what is, even before it is marked", async () => {
    serve(makeLine({ expiresAt: inMinutes(-1) }));
    open("all");
    expect((await screen.findAllByText(words.states.expired))[0]).toBeInTheDocument();
  });
});

describe("countWaiting", () => {
  const NOW = Date.now();

  it("counts what one may decide and what still waits", () => {
    const items = [
      makeLine(),
      makeLine({ mayDecide: false }),
      makeLine({ expiresAt: inMinutes(-1) }),
      makeLine(),
    ];
    expect(countWaiting({ items, nextCursor: null }, NOW)).toBe("2");
  });

  it("shows nothing for none, and a plus where there may be more", () => {
    expect(countWaiting({ items: [] }, NOW)).toBeNull();
    expect(countWaiting({ items: [makeLine()], nextCursor: "b" }, NOW)).toBe("1+");
    const many = Array.from({ length: 120 }, () => makeLine());
    expect(countWaiting({ items: many }, NOW)).toBe("99+");
  });
});
