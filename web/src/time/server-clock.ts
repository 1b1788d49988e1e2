/** The server's time, estimated from the `Date` of its answers. */

/** `Date` has whole seconds and the way here takes a while: less than this says nothing. */
const NOISE_MS = 2_000;
const HALF_A_SECOND_MS = 500;

/** How far the server is ahead of this device; nothing when the header says nothing. Pure. */
export function skewOf(date: string | null, receivedAt: number): number | null {
  const said = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(said)) return null;
  const skew = said + HALF_A_SECOND_MS - receivedAt;
  return Math.abs(skew) < NOISE_MS ? 0 : skew;
}

export class ServerClock {
  #skew = 0;

  observe(date: string | null): void {
    this.#skew = skewOf(date, Date.now()) ?? this.#skew;
  }

  now(): number {
    return Date.now() + this.#skew;
  }
}
