/** Sums of usage as the chart and the tables show them. Pure. */

import type { UsageLine, UsageSums } from "../api/types";
import type { Series } from "../ui/stack";

/** `tokens`, or a currency. */
export type Metric = string;

export interface Group {
  /** Unique, also for what has no key. */
  id: string;
  key: string | null;
  name: string | null;
  sums: UsageSums;
}

const MOST_SERIES = 5;
const COUNTED = [
  "calls",
  "estimatedCalls",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "clearedToolUses",
  "clearedTokens",
] as const;

export function measure(sums: UsageSums, metric: Metric): number {
  if (metric === "tokens") return (sums.inputTokens ?? 0) + (sums.outputTokens ?? 0);
  return Number(sums.costs?.find(({ currency }) => currency === metric)?.amount ?? 0);
}

function add(one: UsageSums, other: UsageSums): UsageSums {
  const costs = new Map<string, number>();
  for (const { currency, amount } of [...(one.costs ?? []), ...(other.costs ?? [])]) {
    costs.set(currency, (costs.get(currency) ?? 0) + Number(amount));
  }
  return {
    ...Object.fromEntries(COUNTED.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)])),
    costs: [...costs].map(([currency, amount]) => ({ currency, amount: String(amount) })),
  } as UsageSums;
}

const NONE = { costs: [] } as unknown as UsageSums;

/** All days of each group, the largest first. */
export function groupsOf(lines: readonly UsageLine[], metric: Metric): Group[] {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const id = line.key ?? "";
    const before = groups.get(id);
    const sums = add(before?.sums ?? NONE, line);
    groups.set(id, { id: `key:${id}`, key: line.key, name: line.name, sums });
  }
  return [...groups.values()].sort((a, b) => measure(b.sums, metric) - measure(a.sums, metric));
}

interface SeriesOptions {
  lines: readonly UsageLine[];
  days: readonly string[];
  metric: Metric;
  nameOf: (group: Pick<Group, "key" | "name">) => string;
  others: string;
}

/** The largest groups, each day of them; the rest together. */
export function seriesOf({ lines, days, metric, nameOf, others }: SeriesOptions): Series[] {
  const groups = groupsOf(lines, metric).filter(({ sums }) => measure(sums, metric) > 0);
  const alone = groups.length > MOST_SERIES + 1 ? groups.slice(0, MOST_SERIES) : groups;
  const names = new Set(alone.map(({ key }) => key));
  const sumOf = (day: string, holds: (line: UsageLine) => boolean) =>
    lines
      .filter((line) => line.day === day && holds(line))
      .reduce((sum, line) => sum + measure(line, metric), 0);
  const build = (id: string, name: string, holds: (line: UsageLine) => boolean): Series => {
    const values = days.map((day) => sumOf(day, holds));
    return { id, name, values, total: values.reduce((sum, value) => sum + value, 0) };
  };
  const series = alone.map((group) =>
    build(group.id, nameOf(group), ({ key }) => key === group.key),
  );
  if (alone.length === groups.length) return series;
  return [...series, build("others", others, ({ key }) => !names.has(key))];
}

export function showNumber(value: number): string {
  return new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 }).format(
    value,
  );
}

export function showMoney(amount: number, currency: string): string {
  const small = amount !== 0 && Math.abs(amount) < 0.1;
  return new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    maximumFractionDigits: small ? 6 : 2,
    minimumFractionDigits: 2,
  }).format(amount);
}

export function show(value: number, metric: Metric): string {
  return metric === "tokens" ? showNumber(value) : showMoney(value, metric);
}
