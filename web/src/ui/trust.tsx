/** How sure it is that a program is what it is called: one mark, wherever programs are named. */

import { BadgeCheck, CircleHelp } from "lucide-react";
import { texts } from "../texts";
import { Badge } from "./badge";

interface TrustProps {
  /** Its document is at the host beside it. Without, it could call itself anything. */
  checked: boolean;
}

export function Trust({ checked }: TrustProps) {
  const Icon = checked ? BadgeCheck : CircleHelp;
  return (
    <Badge tone={checked ? "accent" : "caution"}>
      <Icon size={13} aria-hidden="true" className="mr-1 shrink-0" />
      {checked ? texts.trust.checked : texts.trust.unverified}
    </Badge>
  );
}
