import { describe, expect, it } from "vitest";
import { compareTexts, type Piece } from "../../src/values/text-diff";

/** Changed pieces in brackets. */
function write(pieces: Piece[]): string {
  return pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");
}

function compare(before: string, after: string): [string, string] {
  const diff = compareTexts(before, after);
  return [write(diff.before), write(diff.after)];
}

describe("compareTexts", () => {
  it.each([
    ["longer than 100 for 5 minutes", "longer than 500 for 10 minutes"],
    ["10.0.0.1", "10.0.0.2"],
  ])("marks the words that differ in %j", (before, after) => {
    const [old, fresh] = compare(before, after);
    expect(old.replaceAll(/[[\]]/gu, "")).toBe(before);
    expect(fresh.replaceAll(/[[\]]/gu, "")).toBe(after);
    expect(old).toMatch(/\[(100|1)\]/u);
    expect(fresh).toMatch(/\[(500|2)\]/u);
  });

  it("marks what was added and what was taken away", () => {
    expect(compare("Takes orders.", "Takes orders and payments.")).toEqual([
      "Takes orders.",
      "Takes orders[ and payments].",
    ]);
    expect(compare("a b c", "a c")).toEqual(["a [b ]c", "a c"]);
  });

  it("marks a blank between two changed words with them", () => {
    expect(compare("keep one two here now", "keep three four here now")).toEqual([
      "keep [one two] here now",
      "keep [three four] here now",
    ]);
  });

  it("marks everything when there is hardly anything in common", () => {
    expect(compare("Alpha is here.", "Something else.")).toEqual([
      "[Alpha is here.]",
      "[Something else.]",
    ]);
  });

  it("knows emptiness", () => {
    expect(compareTexts("", "a")).toEqual({ before: [], after: [{ text: "a", changed: true }] });
  });

  it("marks a difference in blanks alone", () => {
    expect(compare("a  b", "a b")).toEqual(["a[  ]b", "a[ ]b"]);
  });

  it("keeps both texts whole when they are too long to compare word by word", () => {
    const before = `start ${"one ".repeat(1_000)}end`;
    const after = `start ${"two ".repeat(1_000)}end`;
    const diff = compareTexts(before, after);
    expect(diff.before.map(({ text }) => text).join("")).toBe(before);
    expect(diff.after.map(({ text }) => text).join("")).toBe(after);
    expect(diff.after.some(({ changed }) => changed)).toBe(true);
  });
});
