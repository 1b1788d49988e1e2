/** Whether a maintenance window is to come, goes on or is over. */

import type { WindowStatus } from "../../api/types";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";

const TONES: Record<WindowStatus, BadgeTone> = {
  scheduled: "accent",
  in_progress: "caution",
  completed: "plain",
  closed: "plain",
};

interface StatusBadgeProps {
  status: WindowStatus;
}

export function StatusBadge({ status }: StatusBadgeProps) {
  return <Badge tone={TONES[status]}>{texts.maintenance.statuses[status]}</Badge>;
}
