import { describe, expect, it } from "vitest";
import { codeOf, splitVisible } from "../../src/values/hidden";

function hiddenIn(text: string): string[] {
  return splitVisible(text)
    .filter(({ kind }) => kind === "hidden")
    .map((run) => codeOf(run.text));
}

describe("splitVisible", () => {
  it.each([
    ["right-to-left override", "a\u202Eb", ["U+202E"]],
    ["isolates", "\u2066a\u2069", ["U+2066", "U+2069"]],
    ["zero width space", "a\u200Bb", ["U+200B"]],
    ["byte order mark", "\uFEFFa", ["U+FEFF"]],
    ["soft hyphen", "a\u00ADb", ["U+00AD"]],
    ["no-break space", "a\u00A0b", ["U+00A0"]],
    ["escape", "a\u001B[31m", ["U+001B"]],
    ["null", "a\u0000", ["U+0000"]],
    ["carriage return", "a\r\nb", ["U+000D"]],
    ["line separator", "a\u2028b", ["U+2028"]],
    ["tag characters", "a\u{E0041}\u{E007F}", ["U+E0041", "U+E007F"]],
    ["variation selectors that carry data", "😀\uFE0F\uFE01\u{E0101}", ["U+FE01", "U+E0101"]],
    ["Hangul filler", "a\u3164", ["U+3164"]],
    ["Braille blank", "a\u2800", ["U+2800"]],
    ["half a pair", "a\uD83D", ["U+D83D"]],
    ["private use", "a\uE000", ["U+E000"]],
    ["a joiner between letters", "pay\u200Dpal", ["U+200D"]],
  ])("finds %s", (_, text, codes) => {
    expect(hiddenIn(text)).toEqual(codes);
  });

  it.each(["plain", "two\nlines\tand tabs", "Zürich – Île 日本 العربية", "👩‍🚀 ❤️ 🏳️‍🌈 👍🏽"])(
    "leaves %j alone",
    (text) => {
      expect(splitVisible(text)).toEqual([{ text, kind: "plain" }]);
    },
  );

  it("marks blanks at the edges only when asked", () => {
    expect(splitVisible(" a ")).toEqual([{ text: " a ", kind: "plain" }]);
    expect(splitVisible(" a ", { edges: true })).toEqual([
      { text: " ", kind: "space" },
      { text: "a", kind: "plain" },
      { text: " ", kind: "space" },
    ]);
  });

  it("keeps every character", () => {
    const text = " a\u202E \u200Bb\n ";
    const runs = splitVisible(text, { edges: true });
    expect(runs.map((run) => run.text).join("")).toBe(text);
  });
});
