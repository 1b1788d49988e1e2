/** What a proposal does and where it stands, at a glance. */

import { Eye, type LucideIcon, PencilLine, Send, TriangleAlert } from "lucide-react";
import type { Effect, ProposalState } from "../api/types";
import { texts } from "../texts";
import { Badge, type BadgeTone } from "../ui/badge";
import { classes } from "../ui/classes";

const words = texts.proposals;

const STATE_TONES: Record<ProposalState, BadgeTone> = {
  proposed: "caution",
  applying: "caution",
  applied: "accent",
  failed: "danger",
  outcome_unknown: "danger",
  declined: "plain",
  expired: "plain",
  voided: "plain",
  superseded: "plain",
};

interface StateBadgeProps {
  state: ProposalState;
}

export function StateBadge({ state }: StateBadgeProps) {
  return <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>;
}

const EFFECTS: Record<Effect, { icon: LucideIcon; look: string; tone: BadgeTone }> = {
  read: { icon: Eye, look: "bg-hover text-muted", tone: "plain" },
  mutate: { icon: PencilLine, look: "bg-accent-soft text-on-accent-soft", tone: "plain" },
  destructive: { icon: TriangleAlert, look: "bg-danger-soft text-on-danger-soft", tone: "danger" },
};

interface EffectProps {
  effect: Effect;
  egress: boolean;
}

export function EffectTile({ effect, egress }: EffectProps) {
  const { icon, look } = EFFECTS[effect];
  const Icon = egress && effect !== "destructive" ? Send : icon;
  return (
    <span
      aria-hidden="true"
      className={classes("flex size-8 shrink-0 items-center justify-center rounded-lg", look)}
    >
      <Icon size={16} strokeWidth={1.85} />
    </span>
  );
}

interface EffectBadgesProps extends EffectProps {
  isRed: boolean;
}

export function EffectBadges({ effect, egress, isRed }: EffectBadgesProps) {
  return (
    <>
      {isRed && <Badge tone="danger">{words.red}</Badge>}
      <Badge tone={EFFECTS[effect].tone}>{words.effects[effect]}</Badge>
      {egress && <Badge tone="caution">{words.egress}</Badge>}
    </>
  );
}
