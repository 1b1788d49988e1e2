/** How a check stands, as a mark that says it in words too. */

import type { Check, CheckStatus } from "../../api/types";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";

const words = texts.healthcheck;

const TONES: Record<CheckStatus, BadgeTone> = {
  up: "accent",
  degraded: "caution",
  down: "danger",
  unknown: "plain",
};

interface StatusBadgeProps {
  status: CheckStatus;
}

export function StatusBadge({ status }: StatusBadgeProps) {
  return <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>;
}

interface CheckStandingProps {
  check: Pick<Check, "status" | "enabled">;
}

export function CheckStanding({ check }: CheckStandingProps) {
  return check.enabled ? <StatusBadge status={check.status} /> : <Badge>{words.off}</Badge>;
}
