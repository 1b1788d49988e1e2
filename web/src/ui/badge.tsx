/** Small labels for facts about an entry. */

import type { ReactNode } from "react";
import { classes } from "./classes";

export type BadgeTone = "plain" | "accent" | "caution" | "danger";

const TONES: Record<BadgeTone, string> = {
  plain: "bg-hover text-muted",
  accent: "bg-accent-soft text-on-accent-soft",
  caution: "bg-caution-soft text-on-caution-soft",
  danger: "bg-danger-soft text-on-danger-soft",
};

interface BadgeProps {
  tone?: BadgeTone;
  children: ReactNode;
}

export function Badge({ tone = "plain", children }: BadgeProps) {
  return (
    <span
      className={classes(
        "inline-flex h-5 max-w-full items-center rounded-full px-2 text-xs font-medium whitespace-nowrap",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

interface BadgesProps {
  names: string[];
  tone?: BadgeTone;
  most?: number;
  wrap?: boolean;
}

export function Badges({ names, tone = "plain", most = 3, wrap = false }: BadgesProps) {
  const hidden = names.slice(most);
  return (
    <span className={classes("flex min-w-0 gap-1", wrap && "flex-wrap")}>
      {names.slice(0, most).map((name) => (
        <Badge key={name} tone={tone}>
          {name}
        </Badge>
      ))}
      {hidden.length > 0 && (
        <span title={hidden.join(", ")}>
          <Badge tone={tone}>+{hidden.length}</Badge>
        </span>
      )}
    </span>
  );
}
