/** How bad an incident is, and how far people have come. */

import type { IncidentSeverity, IncidentStatus } from "../../api/types";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";
import type { Choice } from "../../ui/select";

const words = texts.incidents;

const SEVERITIES: Record<IncidentSeverity, BadgeTone> = {
  minor: "plain",
  major: "caution",
  critical: "danger",
};
const STATUSES: Record<IncidentStatus, BadgeTone> = {
  investigating: "danger",
  identified: "caution",
  monitoring: "accent",
  resolved: "plain",
};

interface SeverityBadgeProps {
  severity: IncidentSeverity;
}

export function SeverityBadge({ severity }: SeverityBadgeProps) {
  return <Badge tone={SEVERITIES[severity]}>{words.severities[severity]}</Badge>;
}

interface StatusBadgeProps {
  status: IncidentStatus;
}

export function StatusBadge({ status }: StatusBadgeProps) {
  return <Badge tone={STATUSES[status]}>{words.statuses[status]}</Badge>;
}

function choicesFrom<Value extends string>(labels: Record<Value, string>): Choice<Value>[] {
  return (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));
}

export const SEVERITY_CHOICES = choicesFrom(words.severities);
export const STATUS_CHOICES = choicesFrom(words.statuses);
