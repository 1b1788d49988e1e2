import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { ProposalLine } from "../../src/api/types";
import { Inbox } from "../../src/proposals/inbox";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { problem, stubServer } from "../server";
import { HASH, makeLine, makeProposal } from "./make";

const words = texts.inbox;
const LIST = "GET /api/proposals";
const token = (id: string) => `POST /api/proposals/${id}/token`;

function line(id: string, fields: Partial<ProposalLine> = {}) {
  return makeLine({ id, summary: `Change ${id}`, ...fields });
}

const LINES = [
  line("one"),
  line("two"),
  line("three"),
  line("gone", { effect: "destructive" }),
  line("out", { egress: true }),
];

const issued = { body: { token: "t", payloadHash: HASH, expiresAt: "2099-01-01T00:00:00Z" } };

function serve(items: readonly ProposalLine[], decided: unknown[] = []) {
  return stubServer({
    [LIST]: { body: { items, nextCursor: null } },
    [token("one")]: issued,
    [token("two")]: problem(409, { detail: "It was declined." }),
    [token("three")]: issued,
    "POST /api/proposals/decide": { body: { items: decided, nextCursor: null } },
    "GET /api/proposals/one": { body: makeProposal({ id: "one", summary: "Change one" }) },
  });
}

function tick(summary: string) {
  return screen.getByRole("checkbox", { name: words.choose(summary) });
}

describe("Inbox", () => {
  it("asks for what waits for the person", async () => {
    const asked = serve(LINES);
    renderPage(<Inbox />);
    await screen.findByRole("list", { name: words.list });
    expect(asked[0]?.query.get("waiting")).toBe("true");
  });

  it("chooses all that may go together, and says why the others may not", async () => {
    serve(LINES);
    renderPage(<Inbox />);
    await screen.findByText(words.chosen(3, 3));
    expect(tick("Change one")).toBeChecked();
    for (const summary of ["Change gone", "Change out"]) {
      expect(tick(summary)).not.toBeChecked();
      expect(tick(summary)).toHaveAttribute("aria-disabled", "true");
    }
    expect(screen.getByText(words.alone.destructive)).toBeVisible();
    expect(screen.getByText(words.alone.egress)).toBeVisible();
  });

  it("sends those that were left in, and shows each one's own result", async () => {
    const applied = makeProposal({ id: "one", state: "applied" });
    const asked = serve(LINES, [{ id: "one", proposal: applied, problem: null }]);
    renderPage(<Inbox />);
    await screen.findByText(words.chosen(3, 3));
    await userEvent.click(tick("Change three"));
    await userEvent.click(screen.getByRole("button", { name: words.apply(2) }));
    const results = await screen.findByRole("region", { name: words.results });
    expect(within(results).getByText(texts.proposals.states.applied)).toBeVisible();
    expect(within(results).getByText("It was declined.")).toBeVisible();
    const sent = asked.find(({ path }) => path === "/api/proposals/decide");
    expect(sent?.body).toEqual([{ id: "one", token: "t", kind: "apply" }]);
    await userEvent.click(within(results).getByRole("button", { name: words.dismiss }));
    expect(screen.queryByRole("region", { name: words.results })).toBeNull();
  });

  it("says what is still missing after a vote", async () => {
    const waits = makeProposal({
      id: "one",
      approvals: { needed: 2, given: [], missing: 1, mayVote: false, whyNot: "You have." },
    });
    serve([line("one"), line("three")], [{ id: "one", proposal: waits, problem: null }]);
    renderPage(<Inbox />);
    await screen.findByText(words.chosen(2, 2));
    await userEvent.click(tick("Change three"));
    await userEvent.click(screen.getByRole("button", { name: words.apply(1) }));
    expect(await screen.findByText(words.waitsForOthers(1))).toBeVisible();
  });

  it("takes all or none, and sends nothing while nothing is chosen", async () => {
    serve(LINES);
    renderPage(<Inbox />);
    await userEvent.click(await screen.findByRole("checkbox", { name: words.all }));
    expect(screen.getByText(words.chosen(0, 3))).toBeVisible();
    expect(screen.getByRole("button", { name: words.decline(0) })).toBeDisabled();
    await userEvent.click(screen.getByRole("checkbox", { name: words.all }));
    expect(screen.getByText(words.chosen(3, 3))).toBeVisible();
  });

  it("opens the whole card in its place", async () => {
    serve([line("one")]);
    renderPage(<Inbox />);
    await userEvent.click(await screen.findByRole("button", { name: words.open }));
    const card = await screen.findByRole("article", { name: "Change one" });
    expect(within(card).getByRole("button", { name: texts.card.apply })).toBeVisible();
    expect(screen.queryByRole("checkbox")).toBeNull();
  });

  it("says when nothing waits", async () => {
    serve([]);
    renderPage(<Inbox />);
    expect(await screen.findByText(words.emptyTitle)).toBeVisible();
  });
});
