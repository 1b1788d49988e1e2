import { describe, expect, it } from "vitest";
import { formatAbsolute, formatExact, formatRelative, formatWait } from "../../src/time/format";

const NOW = new Date("2026-03-10T12:00:00Z");

describe("formatRelative", () => {
  it.each([
    ["2026-03-10T11:59:40Z", "now"],
    ["2026-03-10T12:00:20Z", "now"],
    ["2026-03-10T11:59:10Z", "1 minute ago"],
    ["2026-03-10T11:55:00Z", "5 minutes ago"],
    ["2026-03-10T09:00:00Z", "3 hours ago"],
    ["2026-03-09T11:00:00Z", "yesterday"],
    ["2026-03-01T12:00:00Z", "last week"],
    ["2025-12-10T12:00:00Z", "3 months ago"],
    ["2024-01-10T12:00:00Z", "2 years ago"],
    ["2026-03-10T14:00:00Z", "in 2 hours"],
    ["2026-03-12T12:00:00Z", "in 2 days"],
  ])("%s is %s", (moment, expected) => {
    expect(formatRelative(moment, NOW, "en")).toBe(expected);
  });
});

describe("formatAbsolute", () => {
  it("uses the viewer's zone", () => {
    const moment = "2026-03-10T23:30:00Z";
    expect(formatAbsolute(moment, "en-GB", "Europe/Berlin")).toBe("11 Mar 2026, 00:30");
    expect(formatAbsolute(moment, "en-GB", "America/New_York")).toBe("10 Mar 2026, 19:30");
  });
});

describe("formatExact", () => {
  it("has seconds", () => {
    const moment = "2026-03-10T23:30:07Z";
    expect(formatExact(moment, "en-GB", "Europe/Berlin")).toBe("11 Mar 2026, 00:30:07");
  });
});

describe("formatWait", () => {
  it.each([
    [1, "1 second"],
    [42, "42 seconds"],
    [90, "2 minutes"],
    [600, "10 minutes"],
  ])("%i seconds are %s", (seconds, expected) => {
    expect(formatWait(seconds, "en")).toBe(expected);
  });
});
