/** Moments in forms: local time to the minute, and back. */

import { describe, expect, it } from "vitest";
import { movedFrom, toIso, toLocal } from "../../../src/plugins/timeline/moments";

describe("moments", () => {
  it("goes to local time and back without losing the minute", () => {
    const iso = "2026-07-01T20:05:00.000Z";
    expect(toLocal(iso)).toMatch(/^2026-0[67]-\d\dT\d\d:\d5$/u);
    expect(toIso(toLocal(iso))).toBe(iso);
  });

  it.each(["", "tonight", "2026-13-01T00:00"])("is nothing for %j", (typed) => {
    expect(toIso(typed)).toBeNull();
    expect(movedFrom("2026-07-01T20:00:00Z", typed)).toBeUndefined();
  });

  it("sends only what was moved", () => {
    const loaded = "2026-07-01T20:05:42.123Z";
    expect(movedFrom(loaded, toLocal(loaded))).toBeUndefined();
    expect(movedFrom(loaded, toLocal("2026-07-01T21:05:00Z"))).toBe("2026-07-01T21:05:00.000Z");
    expect(movedFrom(null, toLocal(loaded))).toBe("2026-07-01T20:05:00.000Z");
  });
});
