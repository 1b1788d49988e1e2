/** A short label for a control that shows only an icon. */

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

interface TooltipProps {
  label: ReactNode;
  side?: "top" | "right" | "bottom";
  disabled?: boolean;
  children: ReactElement;
}

export function Tooltip({ label, side = "top", disabled = false, children }: TooltipProps) {
  return (
    <Base.Root disabled={disabled}>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="surface-popup px-2 py-1 text-xs text-ink">{label}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
