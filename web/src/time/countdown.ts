/** How long is left, in a calm form: days and hours, hours and minutes, then minutes and seconds. Pure. */

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

export function secondsUntil(iso: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
}

function unit(value: number, name: "day" | "hour" | "minute", locale?: string): string {
  const unitDisplay = name === "day" ? "long" : "short";
  return new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay }).format(value);
}

function pair(
  [large, largeUnit]: [number, "day" | "hour"],
  [small, smallUnit]: [number, "hour" | "minute"],
  locale?: string,
): string {
  const first = unit(large, largeUnit, locale);
  return small === 0 ? first : `${first} ${unit(small, smallUnit, locale)}`;
}

export function formatLeft(seconds: number, locale?: string): string {
  if (seconds >= DAY) {
    const hours = Math.floor((seconds % DAY) / HOUR);
    return pair([Math.floor(seconds / DAY), "day"], [hours, "hour"], locale);
  }
  if (seconds >= HOUR) {
    const minutes = Math.floor((seconds % HOUR) / MINUTE);
    return pair([Math.floor(seconds / HOUR), "hour"], [minutes, "minute"], locale);
  }
  return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
}

/** For lists, where a second hand would only make it restless. */
export function formatRoughlyLeft(seconds: number, locale?: string): string {
  return seconds >= HOUR
    ? formatLeft(seconds, locale)
    : unit(Math.ceil(seconds / MINUTE), "minute", locale);
}
