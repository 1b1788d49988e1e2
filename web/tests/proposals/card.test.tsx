import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Proposal, ProposalState } from "../../src/api/types";
import { ConfirmCard } from "../../src/proposals/card";
import type { Decision } from "../../src/proposals/decision";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { inMinutes, makeProposal } from "./make";

const words = texts.card;
const ADA_DECIDED = {
  decider: { kind: "user", id: "user-ada", name: "Ada Okafor" },
  decidedAt: inMinutes(-1),
} as const;

function show(fields: Partial<Proposal>, given: Partial<Decision> = {}) {
  const decision: Decision = {
    busy: null,
    failure: null,
    apply: vi.fn(),
    decline: vi.fn(),
    resolve: vi.fn(),
    undo: vi.fn(),
    again: null,
    ...given,
  };
  const view = renderPage(<ConfirmCard proposal={makeProposal(fields)} decision={decision} />);
  return { ...view, decision };
}

function button(name: string) {
  return screen.queryByRole("button", { name });
}

describe("ConfirmCard", () => {
  it("says what would happen, who proposed it, from where and why a person is asked", () => {
    show({});
    expect(screen.getByRole("heading", { name: "Create the system billing" })).toBeVisible();
    expect(screen.getByText("Grace Lindqvist")).toBeVisible();
    expect(screen.getByText(words.through.mcp, { exact: false })).toBeVisible();
    expect(screen.getByText("A person decides about each change.")).toBeVisible();
  });

  it("asks for a secret, hides it while it is typed, and sends it with the assent", async () => {
    const { decision } = show({ secrets: [{ name: "adminKey", title: "Admin key" }] });
    const field = screen.getByLabelText(/Admin key/);
    expect(field).toHaveAttribute("type", "password");
    await userEvent.click(screen.getByRole("button", { name: words.apply }));
    expect(decision.apply).not.toHaveBeenCalled();
    await userEvent.type(field, "umbrella");
    await userEvent.click(screen.getByRole("button", { name: words.apply }));
    expect(decision.apply).toHaveBeenCalledExactlyOnceWith({ adminKey: "umbrella" });
  });

  it("shows the complete arguments openly when there is nothing else to see", () => {
    show({});
    expect(screen.getByText("workspaceId")).toBeVisible();
    expect(screen.getByText("payments")).toBeVisible();
  });

  it.each<[string, Partial<Proposal>]>([
    ["a diff", { diff: [{ kind: "changed", path: "tier", before: 2, after: 1 }] }],
    ["a new object", { creates: { name: "billing" } }],
    ["a list of what goes", { removes: ["System billing"] }],
  ])("folds the arguments beside %s, one click away", async (_, fields) => {
    show(fields);
    expect(screen.getByText("workspaceId")).not.toBeVisible();
    await userEvent.click(screen.getByText(words.arguments));
    expect(screen.getByText("workspaceId")).toBeVisible();
  });

  it("never folds the arguments of what sends data out", () => {
    show({ creates: { name: "billing" }, egress: true });
    expect(screen.getByText("workspaceId")).toBeVisible();
    expect(screen.getByText(texts.proposals.egress)).toBeVisible();
  });

  it("names everything that goes", () => {
    show({ effect: "destructive", removes: ["System search", "Its place in Tier 1"] });
    expect(screen.getByText("System search")).toBeVisible();
    expect(screen.getByText("Its place in Tier 1")).toBeVisible();
    expect(screen.getByText(texts.proposals.effects.destructive)).toBeVisible();
  });

  it("shows text as text and makes invisible characters visible", () => {
    const { container } = show({
      summary: "Delete <img src=x>\u202Egnp",
      payload: { note: "a\u200Bb<b>c</b>" },
      reason: { code: "x", sentence: "<script>1</script>" },
    });
    expect(container.querySelector("img, b, script")).toBeNull();
    expect(screen.getByRole("heading")).toHaveTextContent("Delete <img src=x>U+202Egnp");
    expect(screen.getByText("U+200B")).toBeVisible();
    expect(container.querySelector("article")?.textContent).not.toMatch(/[\u202E\u200B]/u);
  });

  it("applies and declines by button, with a reason or without", async () => {
    const { decision } = show({});
    await userEvent.click(screen.getByRole("button", { name: words.apply }));
    expect(decision.apply).toHaveBeenCalledOnce();
    await userEvent.click(screen.getByRole("button", { name: words.decline }));
    expect(screen.getByLabelText(new RegExp(`^${words.declineReason.slice(0, -1)}`))).toHaveFocus();
    await userEvent.keyboard("  Not now.  ");
    await userEvent.click(screen.getByRole("button", { name: words.declineConfirm }));
    expect(decision.decline).toHaveBeenCalledExactlyOnceWith("Not now.");
  });

  it("goes back from declining, and the keyboard with it", async () => {
    const { decision } = show({});
    await userEvent.click(screen.getByRole("button", { name: words.decline }));
    await userEvent.click(screen.getByRole("button", { name: words.declineBack }));
    expect(screen.getByRole("button", { name: words.decline })).toHaveFocus();
    expect(decision.decline).not.toHaveBeenCalled();
  });

  it.each<[keyof typeof words.decides, Partial<Proposal>]>([
    ["owner", { proposer: { kind: "application", id: "a", name: "pipeline" } }],
    ["conversation", { edge: "chat" }],
    ["holders", { edge: "rest" }],
  ])("offers nothing to press to those who may not decide, and says who can: %s", (who, fields) => {
    show({ ...fields, mayDecide: false, mayDecline: false });
    expect(button(words.apply)).toBeNull();
    expect(button(words.decline)).toBeNull();
    expect(screen.getAllByText(words.decides[who]).at(-1)).toBeVisible();
  });

  it("says that stored arguments were altered, and lets nobody apply them", () => {
    show({ payload: null, creates: { name: "billing" } });
    expect(screen.getByText(words.altered)).toBeVisible();
    expect(button(words.apply)).toBeNull();
  });

  it.each<ProposalState>(["applied", "failed"])(
    "shows the note of who resolved it: %s",
    (state) => {
      show({ state, note: "Seen in the provider's log." });
      expect(screen.getByText("Seen in the provider's log.")).toBeVisible();
    },
  );

  it("keeps both buttons from being pressed while a decision is under way", async () => {
    const { decision } = show({}, { busy: "apply" });
    await userEvent.click(screen.getByRole("button", { name: words.apply }));
    expect(decision.apply).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: words.decline })).toBeDisabled();
  });

  const STATES: Record<ProposalState, [Partial<Proposal>, string]> = {
    proposed: [{}, words.apply],
    applying: [{}, words.applying],
    applied: [{ ...ADA_DECIDED, result: { id: "system-9" } }, "system-9"],
    failed: [
      {
        error: {
          code: "conflict",
          message: "It is there already.",
          issues: [{ path: "name", message: "Taken." }],
        },
      },
      "Taken.",
    ],
    outcome_unknown: [{}, words.unknown],
    declined: [{ ...ADA_DECIDED, declineReason: "Freeze until Monday." }, "Freeze until Monday."],
    expired: [{}, words.expired],
    voided: [{}, words.voided],
    superseded: [{ supersededBy: "proposal-2" }, words.supersededBody],
  };

  it.each(Object.entries(STATES))("shows %s", (state, [fields, said]) => {
    show({ ...fields, state: state as ProposalState });
    expect(screen.getByText(said)).toBeVisible();
    expect(screen.getAllByText(texts.proposals.states[state as ProposalState])[0]).toBeVisible();
    expect(button(words.apply) !== null).toBe(state === "proposed");
    expect(button(words.decline) !== null).toBe(state === "proposed");
  });

  it("shows who decided on the receipt, and the fingerprint of what was applied", () => {
    show({ state: "applied", ...ADA_DECIDED, finishedAt: inMinutes(-1) });
    expect(screen.getByText("Ada Okafor")).toBeVisible();
    expect(screen.getAllByTitle("ab".repeat(32))[0]).toHaveTextContent("abababababab");
  });

  it("lets a person say what they found when the outcome is unknown", async () => {
    const { decision } = show({ state: "outcome_unknown" });
    await userEvent.type(screen.getByLabelText(new RegExp(`^${words.note}`)), "Seen in the log.");
    await userEvent.click(screen.getByRole("button", { name: words.happenedNot }));
    expect(decision.resolve).toHaveBeenCalledExactlyOnceWith("failed", "Seen in the log.");
    await userEvent.click(screen.getByRole("button", { name: words.happened }));
    expect(decision.resolve).toHaveBeenLastCalledWith("applied", "Seen in the log.");
  });

  it("lets only those who may decide say it", () => {
    show({ state: "outcome_unknown", mayDecide: false });
    expect(button(words.happened)).toBeNull();
    expect(screen.getByText(words.unknownOthers)).toBeVisible();
  });

  it("leads from a replaced card to the fresh one, and back", () => {
    const { unmount } = show({ state: "superseded", supersededBy: "proposal-2" });
    expect(screen.getByRole("link", { name: words.toSuccessor })).toHaveAttribute(
      "href",
      "/proposals/proposal-2",
    );
    unmount();
    show({ supersedes: "proposal-0" });
    expect(screen.getByRole("link", { name: words.toPredecessor })).toHaveAttribute(
      "href",
      "/proposals/proposal-0",
    );
  });

  it("takes the buttons away when the time is up, whatever the server has marked", () => {
    show({ expiresAt: inMinutes(-1) });
    expect(screen.getByText(words.expired)).toBeVisible();
    expect(button(words.apply)).toBeNull();
  });

  it("has the complete arguments in every state", () => {
    for (const state of Object.keys(STATES) as ProposalState[]) {
      const { unmount, container } = show({ state, creates: { name: "billing" } });
      const details = within(container).getByText(words.arguments).closest("details");
      expect(within(details as HTMLElement).getByText("workspaceId")).toBeInTheDocument();
      unmount();
    }
  });
});
