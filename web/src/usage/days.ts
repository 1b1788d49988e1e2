/** Periods as whole days in UTC. Pure. */

import type { Days } from "../api/usage";

export type Period = "week" | "month" | "quarter" | "thisMonth" | "lastMonth";

const DAY_MS = 86_400_000;
const LENGTHS: Partial<Record<Period, number>> = { week: 7, month: 30, quarter: 90 };
/** More would be narrower than a line. */
export const MOST_DAYS = 400;

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function daysOf(period: Period, now: number): Days {
  const length = LENGTHS[period];
  if (length !== undefined) return { from: dayOf(now - (length - 1) * DAY_MS), to: dayOf(now) };
  const today = new Date(now);
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
  if (period === "thisMonth") return { from: dayOf(first), to: dayOf(now) };
  const before = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
  return { from: dayOf(before), to: dayOf(first - DAY_MS) };
}

/** Every day from the first to the last one; none when they are no days. */
export function listDays({ from, to }: Days): string[] {
  const first = Date.parse(`${from}T00:00:00Z`);
  const last = Date.parse(`${to}T00:00:00Z`);
  const count = Math.round((last - first) / DAY_MS) + 1;
  if (!(count > 0 && count <= MOST_DAYS)) return [];
  return Array.from({ length: count }, (_, index) => dayOf(first + index * DAY_MS));
}

export function showDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(undefined, {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
  });
}
