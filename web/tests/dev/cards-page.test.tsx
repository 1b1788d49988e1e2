import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ProposalState } from "../../src/api/types";
import { CardsPage } from "../../src/dev/cards-page";
import { PROPOSALS } from "../../src/dev/proposals";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";

const ADMIN = { ...ADA, rules: ["*"] };

function specimen(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-specimen="${name}"]`);
  if (found === null) throw new Error(`There is no specimen ${name}`);
  return found;
}

beforeEach(() => {
  const empty = () => Response.json({ items: [], nextCursor: null });
  vi.stubGlobal("fetch", async () => empty());
});

describe("the page of all cards", () => {
  it("is for admins only", () => {
    renderPage(<CardsPage />);
    expect(document.querySelector("[data-specimen]")).toBeNull();
    expect(screen.queryByRole("button", { name: "Apply" })).toBeNull();
  });

  it("has every state of a proposal", () => {
    const shown = new Set(Object.values(PROPOSALS).map(({ state }) => state));
    expect(shown).toEqual(new Set(Object.keys(texts.proposals.states) as ProposalState[]));
  });

  it("offers Undo on the folded card of a chat, without opening anything", () => {
    renderPage(<CardsPage />, { me: ADMIN });
    const [, folded] = within(specimen("receipt with Undo")).getAllByRole("article");
    const undo = within(folded as HTMLElement).getAllByRole("button", { name: "Undo" });
    expect(undo).toHaveLength(1);
    expect(undo[0]).toBeVisible();
  });

  it("decides nothing about what is over, and says what it was", () => {
    renderPage(<CardsPage />, { me: ADMIN });
    for (const name of ["expired", "declined", "withdrawn", "superseded", "failed"]) {
      expect(within(specimen(name)).queryByRole("button", { name: "Apply" })).toBeNull();
    }
    expect(within(specimen("expired")).getAllByText(texts.card.expired)[0]).toBeVisible();
    expect(within(specimen("superseded")).getAllByText(texts.card.toSuccessor)[0]).toBeVisible();
    expect(within(specimen("declined")).getAllByText("Not before Monday.")[0]).toBeVisible();
  });

  it("keeps a decision that did not arrive, with a way to try again", () => {
    renderPage(<CardsPage />, { me: ADMIN });
    const card = within(specimen("not reached"));
    expect(card.getByText(texts.card.failures.unreachable)).toBeVisible();
    expect(card.getByRole("button", { name: texts.actions.retry })).toBeVisible();
    expect(card.getByRole("button", { name: "Apply" })).toBeVisible();
    expect(
      within(specimen("decided elsewhere")).getByText(texts.card.failures.elsewhere),
    ).toBeVisible();
  });
});
