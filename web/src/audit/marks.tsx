/** The words and looks of an entry's status and effect. */

import type { AuditStatus, Effect } from "../api/types";
import { texts } from "../texts";
import { Badge, type BadgeTone } from "../ui/badge";

const words = texts.audit;

const STATUS_TONES: Record<AuditStatus, BadgeTone> = {
  executed: "plain",
  applied: "accent",
  refused: "caution",
  proposed: "plain",
  approved: "plain",
  applying: "plain",
  declined: "plain",
  expired: "plain",
  voided: "plain",
  superseded: "plain",
  failed: "danger",
  outcome_unknown: "danger",
};

const EFFECT_LOOKS: Record<Effect, string> = {
  read: "text-muted",
  mutate: "",
  destructive: "font-medium text-danger",
};

/** A newer server beside this page may write words that it does not know yet. */
export function wordFor(known: Record<string, string>, name: string): string {
  return Object.hasOwn(known, name) ? (known[name] ?? name) : name;
}

function toneOf(status: string): BadgeTone {
  return Object.hasOwn(STATUS_TONES, status) ? STATUS_TONES[status as AuditStatus] : "plain";
}

interface StatusBadgeProps {
  status: string;
}

export function StatusBadge({ status }: StatusBadgeProps) {
  return <Badge tone={toneOf(status)}>{wordFor(words.statuses, status)}</Badge>;
}

interface EffectWordProps {
  effect: Effect;
}

export function EffectWord({ effect }: EffectWordProps) {
  return <span className={EFFECT_LOOKS[effect]}>{words.effects[effect]}</span>;
}
