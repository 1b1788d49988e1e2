import { describe, expect, it } from "vitest";
import type { UsageLine } from "../../src/api/types";
import { stack } from "../../src/ui/stack";
import { daysOf, listDays } from "../../src/usage/days";
import { nameGroup } from "../../src/usage/names";
import { groupsOf, measure, seriesOf, showMoney } from "../../src/usage/sums";

const NOW = Date.parse("2026-03-02T23:30:00Z");

function line(key: string | null, day: string, tokens: number, cost?: string): UsageLine {
  return {
    key,
    name: null,
    day,
    calls: 1,
    estimatedCalls: 0,
    inputTokens: tokens,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    clearedToolUses: 0,
    clearedTokens: 0,
    costs: cost === undefined ? [] : [{ currency: "EUR", amount: cost }],
  };
}

describe("periods", () => {
  it.each([
    ["week", "2026-02-24", "2026-03-02"],
    ["month", "2026-02-01", "2026-03-02"],
    ["thisMonth", "2026-03-01", "2026-03-02"],
    ["lastMonth", "2026-02-01", "2026-02-28"],
  ] as const)("%s", (period, from, to) => {
    expect(daysOf(period, NOW)).toEqual({ from, to });
  });

  it.each([
    [{ from: "2026-02-27", to: "2026-03-01" }, ["2026-02-27", "2026-02-28", "2026-03-01"]],
    [{ from: "2026-03-01", to: "2026-02-01" }, []],
    [{ from: "", to: "2026-02-01" }, []],
    [{ from: "1990-01-01", to: "2026-02-01" }, []],
  ])("%j", (days, listed) => {
    expect(listDays(days)).toEqual(listed);
  });
});

describe("sums", () => {
  const lines = [
    line("a", "2026-03-01", 10, "0.1"),
    line("a", "2026-03-02", 20, "0.2"),
    line("b", "2026-03-02", 100),
    line(null, "2026-03-02", 5),
  ];
  const days = ["2026-03-01", "2026-03-02"];
  const nameOf = ({ key }: { key: string | null }) => key ?? "none";

  it("adds the days of each group up, the largest first", () => {
    const groups = groupsOf(lines, "tokens");
    expect(groups.map(({ key, sums }) => [key, measure(sums, "tokens")])).toEqual([
      ["b", 100],
      ["a", 30],
      [null, 5],
    ]);
    const [dearest] = groupsOf(lines, "EUR");
    expect(dearest && measure(dearest.sums, "EUR")).toBeCloseTo(0.3);
  });

  it("has a series for each group, without those that took nothing", () => {
    const series = seriesOf({ lines, days, metric: "EUR", nameOf, others: "Others" });
    expect(series.map(({ name, values }) => [name, values])).toEqual([["a", [0.1, 0.2]]]);
  });

  it("puts what is small together", () => {
    const many = Array.from({ length: 9 }, (_, n) => line(`k${n}`, "2026-03-01", 10 - n));
    const series = seriesOf({ lines: many, days, metric: "tokens", nameOf, others: "Others" });
    expect(series.map(({ name }) => name)).toEqual(["k0", "k1", "k2", "k3", "k4", "Others"]);
    expect(series.at(-1)?.total).toBe(5 + 4 + 3 + 2);
  });

  it("stacks them, the tallest day a hundred high", () => {
    const series = seriesOf({ lines, days, metric: "tokens", nameOf, others: "Others" });
    const { most, bars } = stack(series, 2);
    expect(most).toBe(125);
    expect(bars[1]?.map(({ y, height }) => [Math.round(y), Math.round(height)])).toEqual([
      [20, 80],
      [4, 16],
      [0, 4],
    ]);
    expect(stack([], 2)).toEqual({ most: 0, bars: [[], []] });
  });

  it("names what has no name", () => {
    expect(nameGroup("integration", { key: null, name: null })).toBe("Demo model");
    expect(nameGroup("person", { key: "gone", name: null })).toBe("Deleted");
    expect(nameGroup("purpose", { key: "turn", name: null })).toBe("Answers");
    expect(nameGroup("model", { key: "m-1", name: null })).toBe("m-1");
  });

  it("shows small amounts of money as they are", () => {
    expect(showMoney(0.000123, "USD")).toContain("0.000123");
    expect(showMoney(12.5, "USD")).toContain("12.50");
  });
});
