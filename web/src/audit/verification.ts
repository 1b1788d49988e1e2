/** The verification of the whole log, put together from its stretches, and how it stands. Pure. */

import type { AuditFinding, AuditSeal, VerifiedStretch } from "../api/types";

export interface Verification {
  through: number;
  throughAt: string | null;
  heads: number;
  findings: AuditFinding[];
  faults: number;
  checkedAt: string;
}

export const NOTHING: Omit<Verification, "checkedAt"> = {
  through: 0,
  throughAt: null,
  heads: 0,
  findings: [],
  faults: 0,
};

export function join<Sum extends typeof NOTHING>(sum: Sum, stretch: VerifiedStretch): Sum {
  return {
    ...sum,
    through: stretch.through,
    throughAt: stretch.throughAt ?? sum.throughAt,
    heads: sum.heads + stretch.heads,
    findings: [...sum.findings, ...stretch.findings],
    faults: sum.faults + stretch.faults,
  };
}

interface Walk {
  read: (after: number) => Promise<VerifiedStretch>;
  now: () => Date;
  onProgress: (through: number) => void;
}

/** Stretch after stretch until the end, telling how far it is. */
export async function verifyAll({ read, now, onProgress }: Walk): Promise<Verification> {
  let sum = NOTHING;
  let after: number | null = 0;
  while (after !== null) {
    const stretch: VerifiedStretch = await read(after);
    sum = join(sum, stretch);
    onProgress(sum.through);
    after = stretch.nextAfter;
  }
  return { ...sum, checkedAt: now().toISOString() };
}

export type Chain =
  | { state: "empty"; unsealed: number }
  | { state: "idle"; last: number; unsealed: number }
  | { state: "running"; last: number; through: number }
  | { state: "failed"; error: unknown }
  | { state: "sound"; found: Verification; unsealed: number }
  | { state: "broken"; found: Verification };

interface Standing {
  seal: AuditSeal | undefined;
  /** How far it is, while it is being checked. */
  through: number | null;
  found: Verification | undefined;
  error: unknown;
}

/** `null` until it is known how far the log is sealed. */
export function chainOf({ seal, through, found, error }: Standing): Chain | null {
  const last = seal?.lastHead?.position ?? null;
  if (through !== null) return { state: "running", last: last ?? through, through };
  if (error) return { state: "failed", error };
  if (seal === undefined) return null;
  return judged(found, seal.unsealed) ?? unchecked(last, seal.unsealed);
}

function judged(found: Verification | undefined, unsealed: number): Chain | null {
  if (found === undefined) return null;
  if (found.faults > 0) return { state: "broken", found };
  return found.through > 0 ? { state: "sound", found, unsealed } : null;
}

function unchecked(last: number | null, unsealed: number): Chain {
  return last === null ? { state: "empty", unsealed } : { state: "idle", last, unsealed };
}
