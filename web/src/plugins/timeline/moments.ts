/** Moments in forms: the browser's own control knows local time to the minute. Pure. */

const MINUTE = 60_000;

/** For the control: `2026-07-01T22:00`, in the zone of whoever looks. */
export function toLocal(iso: string): string {
  const moment = new Date(iso);
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE);
  return shifted.toISOString().slice(0, 16);
}

/** What was typed, for the server; nothing for what is no moment. */
export function toIso(local: string): string | null {
  const moment = new Date(local);
  return local === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** What to send: nothing where the minute is still the one that was loaded. */
export function movedFrom(loaded: string | null, local: string): string | undefined {
  if (loaded !== null && toLocal(loaded) === local) return undefined;
  return toIso(local) ?? undefined;
}
