/** What is left of an error budget, as a bar and in words. */

import type { BudgetState, Objective } from "../../api/types";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";

const words = texts.slo;

const TONES: Record<BudgetState, BadgeTone> = {
  met: "accent",
  burning: "caution",
  exhausted: "danger",
  unknown: "plain",
};
const FILLS: Record<BudgetState, string> = {
  met: "fill-series-1",
  burning: "fill-series-3",
  exhausted: "fill-series-5",
  unknown: "fill-series-6",
};

interface BudgetProps {
  objective: Objective;
}

export function StateBadge({ objective }: BudgetProps) {
  const { state } = objective.budget;
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}

export function BudgetBar({ objective }: BudgetProps) {
  const { state, left, reason } = objective.budget;
  if (left === null) return <span className="text-[0.8125rem] text-muted">{reason}</span>;
  const shown = Math.round(Math.max(0, Math.min(1, left)) * 100);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <svg
        role="img"
        aria-label={`${words.bar(objective.name)}: ${words.left(left)}`}
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        className="h-1.5 w-full overflow-hidden rounded-full"
      >
        <rect x={0} y={0} width={100} height={6} className="fill-line" />
        <rect x={0} y={0} width={shown} height={6} className={FILLS[state]} />
      </svg>
      <span aria-hidden="true" className="text-xs text-muted tabular-nums">
        {words.left(left)}
      </span>
    </div>
  );
}
