import { describe, expect, it } from "vitest";
import type { ApplicationKey } from "../../src/api/types";
import { describeDevice, isHandheld } from "../../src/settings/device";
import { statusOf } from "../../src/settings/key-status";

const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36";
const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1";

describe("describeDevice", () => {
  it.each([
    [LINUX, "Chrome on Linux"],
    [`${LINUX} Edg/142.0`, "Edge on Linux"],
    [PHONE, "Safari on iOS"],
    ["Mozilla/5.0 (Windows NT 10.0; rv:131.0) Firefox/131.0", "Firefox on Windows"],
    ["curl/8.5.0", "curl/8.5.0"],
    ["", "Unknown device"],
  ])("%s", (agent, expected) => {
    expect(describeDevice(agent)).toBe(expected);
  });

  it("tells phones from computers", () => {
    expect([PHONE, LINUX].map(isHandheld)).toEqual([true, false]);
  });
});

describe("statusOf", () => {
  const now = new Date("2026-03-10T12:00:00Z");
  const key = (expiresAt: string | null, revokedAt: string | null): ApplicationKey => ({
    id: "key-1",
    hint: "ask_…",
    createdAt: "2026-01-01T00:00:00Z",
    lastUsedAt: null,
    expiresAt,
    revokedAt,
  });

  it.each([
    [key(null, null), "active"],
    [key("2026-03-10T12:00:01Z", null), "active"],
    [key("2026-03-10T12:00:00Z", null), "expired"],
    [key("2026-03-10T11:00:00Z", "2026-03-10T10:00:00Z"), "revoked"],
  ])("%#", (entry, expected) => {
    expect(statusOf(entry, now)).toBe(expected);
  });
});
