import { expect, test } from "vitest";
import { factsOf, linesOf } from "../../src/knowledge/facts";

test.each([
  {},
  { language: "German" },
  { phone: "4711", count: 4711, on: true, nothing: null },
  { list: ["a", 1], nested: { a: { b: 1 } }, empty: "", spaced: " a ", lines: "a\nb" },
  { address: "https://example.com/a:b" },
])("facts come back as they were: %j", (facts) => {
  expect(factsOf(linesOf(facts))).toEqual(facts);
});

test("blank lines do not count, and a line without a value is none", () => {
  expect(factsOf("\n a : b \n\n")).toEqual({ a: "b" });
  expect(factsOf("just words")).toBeNull();
  expect(factsOf(": b")).toBeNull();
  expect(factsOf("a:")).toBeNull();
});
