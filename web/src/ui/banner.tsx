/** A message inside a page or a form. */

import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "./classes";

export type BannerTone = "plain" | "good" | "caution" | "danger";

const TONES: Record<BannerTone, { look: string; icon: LucideIcon; role: "status" | "alert" }> = {
  plain: { look: "bg-hover text-ink", icon: Info, role: "status" },
  good: { look: "bg-accent-soft text-on-accent-soft", icon: CircleCheck, role: "status" },
  caution: { look: "bg-caution-soft text-on-caution-soft", icon: TriangleAlert, role: "status" },
  danger: { look: "bg-danger-soft text-on-danger-soft", icon: CircleAlert, role: "alert" },
};

interface BannerProps {
  tone?: BannerTone;
  title?: string;
  action?: ReactNode;
  children: ReactNode;
}

export function Banner({ tone = "plain", title, action, children }: BannerProps) {
  const { look, icon: Icon, role } = TONES[tone];
  return (
    <div role={role} className={classes("flex items-start gap-2.5 rounded-lg px-3 py-2.5", look)}>
      <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <div>
          {title && <p className="font-medium">{title}</p>}
          <div className="break-words">{children}</div>
        </div>
        {action}
      </div>
    </div>
  );
}
