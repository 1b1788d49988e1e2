import { afterEach, describe, expect, it, vi } from "vitest";
import { type Place, type PlaceLocks, takePlace } from "../../src/live/places";

/** Stands in for the browser's locks as several tabs share them. */
class SharedLocks implements PlaceLocks {
  readonly held = new Set<string>();

  request: PlaceLocks["request"] = async (name, _options, hold) => {
    if (this.held.has(name)) return hold(null);
    this.held.add(name);
    await hold({ name });
    this.held.delete(name);
  };
}

function show(seen: boolean) {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!seen);
  document.dispatchEvent(new Event("visibilitychange"));
}

afterEach(() => show(true));

async function takeMany(locks: SharedLocks | undefined, count: number): Promise<(Place | null)[]> {
  const places: (Place | null)[] = [];
  while (places.length < count) places.push(await takePlace(locks));
  return places;
}

describe("places for streams", () => {
  it("are three for all tabs, and are there again when they are left", async () => {
    const locks = new SharedLocks();
    const places = await takeMany(locks, 5);
    expect(places.map((place) => place !== null)).toEqual([true, true, true, false, false]);
    places[1]?.leave();
    await vi.waitFor(() => expect(locks.held.size).toBe(2));
    expect(await takePlace(locks)).not.toBeNull();
    expect(await takePlace(locks)).toBeNull();
  });

  it("are not for a tab that nobody looks at", async () => {
    show(false);
    const locks = new SharedLocks();
    expect(await takePlace(locks)).toBeNull();
    expect(locks.held.size).toBe(0);
  });

  it("have to be left when nobody looks any more", async () => {
    const [place, left] = await takeMany(new SharedLocks(), 2);
    left?.leave();
    show(false);
    expect(place?.signal.aborted).toBe(true);
    expect(left?.signal.aborted).toBe(false);
  });

  it("are not counted where there are no locks", async () => {
    const places = await takeMany(undefined, 5);
    expect(places).not.toContain(null);
    show(false);
    expect(await takePlace(undefined)).toBeNull();
  });
});
