/** Whether a key still works. Pure. */

import type { ApplicationKey } from "../api/types";

export type KeyStatus = "active" | "revoked" | "expired";

export function statusOf(key: ApplicationKey, now: Date): KeyStatus {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now.getTime()) return "expired";
  return "active";
}
