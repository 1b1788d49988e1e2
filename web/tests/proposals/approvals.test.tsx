import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { HoldingRule, Proposal } from "../../src/api/types";
import { ConfirmCard } from "../../src/proposals/card";
import type { Decision } from "../../src/proposals/decision";
import { describeRule } from "../../src/proposals/why";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { makeProposal } from "./make";

const words = texts.card;
const said = words.approvals;
const AT = "2026-01-01T00:00:00Z";

const RULE: HoldingRule = {
  id: "rule",
  title: "Four eyes",
  note: "Ask the night shift.",
  needed: 2,
  given: 1,
  missing: 1,
  anyone: false,
  roles: ["Operator"],
  users: ["Ann"],
  people: 5,
  notProposer: true,
};

function show(fields: Partial<Proposal>) {
  const decision: Decision = {
    busy: null,
    failure: null,
    apply: vi.fn(),
    decline: vi.fn(),
    resolve: vi.fn(),
    undo: vi.fn(),
    again: null,
  };
  renderPage(<ConfirmCard proposal={makeProposal(fields)} decision={decision} />);
  return decision;
}

describe("a card under an approval rule", () => {
  it("says who has assented, who does not count any more, and what is missing", () => {
    show({
      rules: [RULE],
      approvals: {
        needed: 2,
        given: [
          { personId: "1", name: "Ann", at: AT, counts: true },
          { personId: "2", name: "Bob", at: AT, counts: false },
        ],
        missing: 1,
        mayVote: true,
        whyNot: null,
      },
    });
    expect(screen.getByText(said.given(1, 2))).toBeVisible();
    expect(screen.getByText("Ann")).toBeVisible();
    expect(screen.getByText(said.notCounted)).toBeVisible();
    expect(screen.getByText(said.completes)).toBeVisible();
    expect(screen.getByRole("button", { name: words.apply })).toBeVisible();
  });

  it("lets whoever proposed it withdraw it, and says why they may not apply it", async () => {
    const decision = show({
      mayDecide: false,
      approvals: { needed: 2, given: [], missing: 2, mayVote: false, whyNot: "You proposed it." },
    });
    expect(screen.getByText(/You proposed it\./u)).toBeVisible();
    expect(screen.queryByRole("button", { name: words.apply })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: said.withdraw }));
    await userEvent.click(screen.getByRole("button", { name: words.declineConfirm }));
    expect(decision.decline).toHaveBeenCalledWith("");
  });

  it("tells by which rules, and whom they name", async () => {
    show({ rules: [RULE] });
    expect(screen.getByText("Four eyes")).not.toBeVisible();
    await userEvent.click(screen.getByText(words.why));
    expect(screen.getByText("Four eyes")).toBeVisible();
    expect(screen.getByText("Ask the night shift.")).toBeVisible();
    expect(screen.getByText(describeRule(RULE))).toBeVisible();
  });

  it("says when nobody can decide", async () => {
    show({ rules: [{ ...RULE, roles: [], users: [], people: 0 }] });
    await userEvent.click(screen.getByText(words.why));
    expect(screen.getByText(said.nobody)).toBeVisible();
  });

  it("tells without a rule who decides anyway", async () => {
    show({});
    await userEvent.click(screen.getByText(words.why));
    expect(screen.getByText(words.decides.holders)).toBeVisible();
  });
});

describe("describeRule", () => {
  it.each<[Partial<HoldingRule>, string]>([
    [{}, "2 of everybody with the role Operator, Ann (5 people); not whoever proposed it"],
    [
      { anyone: true, people: null, notProposer: false, needed: 1 },
      "1 of everybody who may use this tool everywhere",
    ],
  ])("%j", (fields, text) => {
    expect(describeRule({ ...RULE, ...fields })).toBe(text);
  });
});

describe("undo on a receipt", () => {
  const applied = { state: "applied", finishedAt: AT } as const;

  it("offers it to those who may", async () => {
    const decision = show({
      ...applied,
      undo: { state: "available", proposalId: null, mayUndo: true },
    });
    await userEvent.click(screen.getByRole("button", { name: words.undo.action }));
    expect(decision.undo).toHaveBeenCalled();
  });

  it("offers nothing to others, and nothing where there is no way back", () => {
    show({ ...applied, undo: { state: "available", proposalId: null, mayUndo: false } });
    show({ ...applied, undo: null });
    expect(screen.queryByRole("button", { name: words.undo.action })).toBeNull();
  });

  it.each(["waiting", "undone", "unknown"] as const)("says how it stands: %s", (state) => {
    show({ ...applied, undo: { state, proposalId: "other", mayUndo: false } });
    expect(screen.getByText(words.undo[state])).toBeVisible();
    expect(screen.getByRole("link", { name: words.undo.look })).toHaveAttribute(
      "href",
      "/proposals/other",
    );
  });

  it("names what a card takes back", () => {
    show({ undoes: "other" });
    expect(screen.getByRole("link", { name: words.undo.toUndone })).toHaveAttribute(
      "href",
      "/proposals/other",
    );
  });
});
