import { describe, expect, it } from "vitest";
import { rebase } from "../../src/forms/rebase";

const BASE = { name: "a", description: "old", groupIds: ["1", "2"] };

describe("rebase", () => {
  it("takes over what only the other side changed", () => {
    const newest = { ...BASE, description: "new", groupIds: ["3"] };
    expect(rebase(BASE, BASE, newest)).toEqual({ values: newest, theirs: {} });
  });

  it("keeps what only this side changed", () => {
    const mine = { ...BASE, name: "b" };
    const newest = { ...BASE, description: "new" };
    expect(rebase(BASE, mine, newest)).toEqual({
      values: { ...newest, name: "b" },
      theirs: {},
    });
  });

  it("keeps this side's and names the other side's when both changed it", () => {
    const mine = { ...BASE, description: "mine" };
    const newest = { ...BASE, description: "theirs" };
    expect(rebase(BASE, mine, newest)).toEqual({ values: mine, theirs: { description: "theirs" } });
  });

  it("sees no conflict when both made the same change", () => {
    const same = { ...BASE, groupIds: ["2", "3"] };
    expect(rebase(BASE, same, { ...BASE, groupIds: ["3", "2"] }).theirs).toEqual({});
  });
});
