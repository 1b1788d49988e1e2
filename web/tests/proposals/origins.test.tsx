import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Proposal } from "../../src/api/types";
import { ConfirmCard } from "../../src/proposals/card";
import { texts } from "../../src/texts";
import { renderPage } from "../render";
import { makeProposal } from "./make";

const MODEL = { origin: "model", name: "", trusted: true, whole: true } as const;
const TYPED = { origin: "typed", name: "", trusted: true, whole: true } as const;
const MAIL = { origin: "tool", name: "mail.read", trusted: false, whole: true } as const;
const ALARM = { path: "to.1", code: "untrusted", sentence: "This stands in a mail." } as const;

function show(fields: Partial<Proposal>) {
  const decision = {
    busy: null,
    failure: null,
    apply: vi.fn(),
    decline: vi.fn(),
    resolve: vi.fn(),
    undo: vi.fn(),
    again: null,
  };
  renderPage(<ConfirmCard proposal={makeProposal(fields)} decision={decision} />);
}

describe("where values came from", () => {
  it("stands with each value, every source of it", () => {
    show({
      payload: { to: ["ada@ours.example", "eve@evil.example"], text: "Hello" },
      provenance: {
        marks: [
          { path: "to.0", matches: [TYPED] },
          { path: "to.1", matches: [MAIL, TYPED] },
          { path: "text", matches: [MODEL] },
        ],
        alarms: [],
      },
    });
    const ada = screen.getByText("ada@ours.example").closest("li") as HTMLElement;
    expect(within(ada).getByText("typed by the person")).toBeVisible();
    const eve = screen.getByText("eve@evil.example").closest("li") as HTMLElement;
    expect(within(eve).getByText("read by mail.read, not to be trusted")).toBeVisible();
    expect(within(eve).getByText("typed by the person")).toBeVisible();
    expect(screen.getByText("written by the assistant")).toBeVisible();
  });

  it("is silent where nothing is known", () => {
    show({});
    expect(screen.queryByText("written by the assistant")).toBeNull();
  });

  it("says that only a piece was found", () => {
    show({
      payload: { text: "See evil.example" },
      provenance: { marks: [{ path: "text", matches: [{ ...MAIL, whole: false }] }], alarms: [] },
    });
    expect(screen.getByText("in part read by mail.read, not to be trusted")).toBeVisible();
  });
});

describe("a red card", () => {
  const red = {
    isRed: true,
    creates: { name: "billing" },
    provenance: { marks: [{ path: "to.1", matches: [MAIL] }], alarms: [ALARM] },
  };

  it("says why, opens its arguments and names the deed for what it is", () => {
    show({ ...red, payload: { to: ["a", "eve@evil.example"] } });
    const note = screen.getByRole("note", { name: texts.origins.red });
    expect(within(note).getByText("to.1")).toBeVisible();
    expect(within(note).getByText("This stands in a mail.")).toBeVisible();
    expect(screen.getByText("eve@evil.example")).toBeVisible();
    expect(screen.getByText(texts.proposals.red)).toBeVisible();
    expect(screen.getByRole("button", { name: texts.card.applyAnyway })).toBeVisible();
    expect(screen.queryByRole("button", { name: texts.card.apply })).toBeNull();
  });

  it("has no notice without an alarm", () => {
    show({});
    expect(screen.queryByRole("note")).toBeNull();
    expect(screen.getByRole("button", { name: texts.card.apply })).toBeVisible();
  });
});
