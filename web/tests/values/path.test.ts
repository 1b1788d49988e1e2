import { describe, expect, it } from "vitest";
import { encodePath, type Path } from "../../src/values/path";

describe("encodePath", () => {
  it.each<[Path, string]>([
    [[], ""],
    [["to"], "to"],
    [["items", 0, "name"], "items.0.name"],
    [["labels", "a.b"], 'labels."a.b"'],
    [["labels", "0"], 'labels."0"'],
    [["größe"], "größe"],
    [['say "hi"'], '"say \\"hi\\""'],
  ])("writes %j as the server does", (path, text) => {
    expect(encodePath(path)).toBe(text);
  });
});
