import { describe, expect, it } from "vitest";
import {
  checkPassword,
  checkRepeated,
  invalidOf,
  needed,
  slugFrom,
} from "../../src/forms/validate";
import { texts } from "../../src/texts";

describe("validate", () => {
  it.each([
    ["Core Payments", "core-payments"],
    ["  Zürich – Île  ", "zurich-ile"],
    ["--a__b--", "a-b"],
    ["日本", ""],
  ])("makes %j the short name %j", (name, slug) => {
    expect(slugFrom(name)).toBe(slug);
  });

  it("wants passwords of 12 to 200 characters", () => {
    expect(checkPassword("x".repeat(11))).toBe(texts.forms.tooShort(12));
    expect(checkPassword("x".repeat(12))).toBeUndefined();
    expect(checkPassword("x".repeat(200))).toBeUndefined();
    expect(checkPassword("x".repeat(201))).toBe(texts.forms.tooLong(200));
  });

  it("wants the same password twice", () => {
    expect(checkRepeated("a", "a")).toBeUndefined();
    expect(checkRepeated("a", "b")).toBe(texts.forms.notEqual);
  });

  it("collects only what is wrong", () => {
    expect(invalidOf({ name: needed(" "), email: needed("a@b.c") })).toEqual({
      name: texts.forms.required,
    });
  });
});
