import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { FieldChange } from "../../src/api/types";
import { texts } from "../../src/texts";
import { DiffView } from "../../src/values/diff-view";
import { ValueView } from "../../src/values/value-view";

function show(...changes: FieldChange[]) {
  return render(<DiffView changes={changes} />).container;
}

describe("DiffView", () => {
  it("shows before and after of a changed field", () => {
    const container = show({ kind: "changed", path: "tier", before: 2, after: 1 });
    expect(screen.getByText("tier")).toBeVisible();
    expect(container).toHaveTextContent(`${texts.diff.before}: 2`);
    expect(container).toHaveTextContent(`${texts.diff.after}: 1`);
  });

  it("marks the words of a text that differ", () => {
    const container = show({ kind: "changed", path: "name", before: "red car", after: "blue car" });
    expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "red",
      "blue",
    ]);
  });

  it("folds long stretches that stay the same, and opens them", async () => {
    const same = "word ".repeat(200);
    show({ kind: "changed", path: "text", before: `${same}old`, after: `${same}new` });
    expect(screen.getByText("new")).toBeVisible();
    const folds = screen.getAllByRole("button");
    expect(folds).toHaveLength(2);
    await userEvent.click(folds[0] as HTMLElement);
    expect(document.body.textContent).toContain(same.trim());
  });

  it.each<[FieldChange, string]>([
    [{ kind: "added", path: "groupIds.2", after: "core" }, "core"],
    [{ kind: "removed", path: "labels.0", before: { key: "owner", value: "a" } }, "owner"],
  ])("shows what is %o", (change, said) => {
    show(change);
    expect(screen.getByText(texts.diff.kinds[change.kind])).toBeVisible();
    expect(screen.getByText(change.path)).toBeVisible();
    expect(screen.getByText(said)).toBeVisible();
  });

  it("shows a new order with the old places", () => {
    show({ kind: "reordered", path: "oncall", before: ["a", "b", "c"], after: ["b", "a", "c"] });
    const rows = screen.getByText("b").closest("ol")?.querySelectorAll("li") ?? [];
    expect([...rows].map((row) => row.textContent)).toEqual([
      `1.b${texts.diff.wasAt(2)}`,
      `2.a${texts.diff.wasAt(1)}`,
      "3.c",
    ]);
  });

  it.each([
    ["a number and its text", 5, "5", ["5", '"5"']],
    ["yes and its text", "true", true, ['"true"', "true"]],
  ])("tells %s apart", (_, before, after, said) => {
    const container = show({ kind: "changed", path: "port", before, after });
    expect([...container.querySelectorAll("code")].map((code) => code.textContent)).toEqual(said);
  });

  it("says what is empty or nothing", () => {
    const container = show(
      { kind: "changed", path: "note", before: "old", after: "" },
      { kind: "changed", path: "owner", before: "team", after: null },
      { kind: "added", path: "tags", after: [] },
    );
    expect(container).toHaveTextContent(texts.diff.empty);
    expect(container).toHaveTextContent(texts.diff.nothing);
    expect(container).toHaveTextContent(texts.diff.emptyList);
  });

  it("shows a change of the whole value", () => {
    show({ kind: "changed", path: "", before: 1, after: 2 });
    expect(screen.getByText(texts.diff.whole)).toBeVisible();
  });

  it("shows a difference in blanks", () => {
    const container = show({ kind: "changed", path: "name", before: "a", after: "a " });
    expect(within(container).getByTitle(texts.diff.space)).toHaveTextContent("·");
  });
});

describe("ValueView", () => {
  it("shows nested objects and lists", () => {
    render(<ValueView value={{ a: { b: [{ c: "deep" }] }, on: true, none: null }} />);
    expect(screen.getByText("deep")).toBeVisible();
    expect(screen.getByText("true")).toBeVisible();
    expect(screen.getByText(texts.diff.nothing)).toBeVisible();
  });

  it("writes what is nested too deeply as JSON, and loses nothing", () => {
    render(<ValueView value={{ a: { b: { c: { d: { e: { f: "bottom" } } } } } }} />);
    expect(document.body.textContent).toContain('"f": "bottom"');
  });

  it("shows the first of many and all on request", async () => {
    render(<ValueView value={Array.from({ length: 30 }, (_, index) => `entry-${index}`)} />);
    expect(screen.queryByText("entry-29")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: /^Show all/ }));
    expect(screen.getByText("entry-29")).toBeVisible();
  });

  it("has a long text whole in the page, folded", async () => {
    const long = "x".repeat(5_000);
    render(<ValueView value={long} />);
    expect(screen.getByText(long)).toBeInTheDocument();
    const fold = screen.getByRole("button", { name: /5,000/ });
    expect(fold).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(fold);
    expect(screen.getByRole("button")).toHaveAttribute("aria-expanded", "true");
  });
});
