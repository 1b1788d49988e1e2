import { describe, expect, it } from "vitest";
import { clampWidth, parseWidth, widthAfterKey } from "../../src/dock/width";

describe("the width of the dock", () => {
  it.each([
    [500, 1400, 500],
    [100, 1400, 340],
    [5000, 1600, 760],
    [700, 1280, 480],
    [700, 1000, 340],
    [420.4, 1400, 420],
  ])("%d in a window of %d is %d", (wanted, windowWidth, expected) => {
    expect(clampWidth(wanted, windowWidth)).toBe(expected);
  });

  it.each([
    [null, 420],
    ["", 420],
    ["wide", 420],
    ["-5", 420],
    ["512", 512],
  ])("kept as %j it is %d", (kept, expected) => {
    expect(parseWidth(kept)).toBe(expected);
  });

  it("grows to the left and shrinks to the right, further with Shift", () => {
    expect(widthAfterKey("ArrowLeft", 400, false)).toBe(424);
    expect(widthAfterKey("ArrowRight", 400, false)).toBe(376);
    expect(widthAfterKey("ArrowLeft", 400, true)).toBe(496);
    expect(widthAfterKey("End", 400, false)).toBe(340);
    expect(widthAfterKey("a", 400, false)).toBeNull();
  });
});
