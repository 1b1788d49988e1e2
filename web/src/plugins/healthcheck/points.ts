/** Figures of a check as a chart has them. Pure. */

import type { CheckStatus, RunStats } from "../../api/types";
import type { Tick } from "../../ui/bar-chart";
import type { Series } from "../../ui/stack";

const HOUR_MS = 3_600_000;
/** In the order of the colours: up is green, down is red. */
const ORDER: CheckStatus[] = ["up", "unknown", "degraded", "down"];

export function showTick(at: string, hourly: boolean): string {
  const options: Intl.DateTimeFormatOptions = hourly
    ? { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
    : { day: "numeric", month: "short" };
  return new Date(at).toLocaleString(undefined, options);
}

export function isHourly({ points }: Pick<RunStats, "points">): boolean {
  const [first, second] = points;
  if (first === undefined || second === undefined) return true;
  return Date.parse(second.at) - Date.parse(first.at) <= HOUR_MS;
}

export function ticksOf(stats: Pick<RunStats, "points">): Tick[] {
  const hourly = isHourly(stats);
  return stats.points.map(({ at }) => ({ key: at, label: showTick(at, hourly) }));
}

export function seriesOf(
  { points }: Pick<RunStats, "points">,
  names: Record<CheckStatus, string>,
): Series[] {
  return ORDER.map((status) => {
    const values = points.map(({ counts }) => counts[status]);
    const total = values.reduce((sum, value) => sum + value, 0);
    return { id: status, name: names[status], values, total };
  });
}

export function showPercent(share: number | null): string | null {
  if (share === null) return null;
  const options = { style: "percent", maximumFractionDigits: 3 } as const;
  return new Intl.NumberFormat(undefined, options).format(share);
}

export function showMs(milliseconds: number | null): string | null {
  if (milliseconds === null) return null;
  const long = milliseconds >= 10_000;
  const number = new Intl.NumberFormat(undefined, {
    maximumFractionDigits: milliseconds < 10 || long ? 1 : 0,
  });
  return long ? `${number.format(milliseconds / 1000)} s` : `${number.format(milliseconds)} ms`;
}
