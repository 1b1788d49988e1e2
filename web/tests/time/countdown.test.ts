import { describe, expect, it } from "vitest";
import { formatLeft, formatRoughlyLeft, secondsUntil } from "../../src/time/countdown";
import { ServerClock, skewOf } from "../../src/time/server-clock";

describe("formatLeft", () => {
  it.each([
    [0, "0:00"],
    [9, "0:09"],
    [61, "1:01"],
    [3_599, "59:59"],
    [3_600, "1 hr"],
    [7_260, "2 hr 1 min"],
    [86_400, "1 day"],
    [532_800, "6 days 4 hr"],
  ])("%i seconds are %s", (seconds, said) => {
    expect(formatLeft(seconds, "en")).toBe(said);
  });

  it.each([
    [1, "1 min"],
    [61, "2 min"],
    [7_260, "2 hr 1 min"],
  ])("roughly, %i seconds are %s", (seconds, said) => {
    expect(formatRoughlyLeft(seconds, "en")).toBe(said);
  });
});

describe("secondsUntil", () => {
  it("counts whole seconds down to none", () => {
    const end = "2026-03-10T12:00:10Z";
    expect(secondsUntil(end, Date.parse("2026-03-10T12:00:00.300Z"))).toBe(10);
    expect(secondsUntil(end, Date.parse("2026-03-10T12:00:10Z"))).toBe(0);
    expect(secondsUntil(end, Date.parse("2026-03-10T13:00:00Z"))).toBe(0);
  });
});

describe("the server's clock", () => {
  const NOON = "Tue, 10 Mar 2026 12:00:00 GMT";

  it("takes small differences for noise and large ones for skew", () => {
    expect(skewOf(NOON, Date.parse(NOON) + 900)).toBe(0);
    expect(skewOf(NOON, Date.parse(NOON) - 300_000)).toBe(300_500);
    expect(skewOf(NOON, Date.parse(NOON) + 300_000)).toBe(-299_500);
  });

  it.each([null, "yesterday"])("learns nothing from %s", (date) => {
    expect(skewOf(date, 0)).toBeNull();
  });

  it("keeps what it knew when an answer has no date", () => {
    const clock = new ServerClock();
    clock.observe(new Date(Date.now() + 3_600_000).toUTCString());
    clock.observe(null);
    expect(clock.now() - Date.now()).toBeGreaterThan(3_500_000);
  });
});
