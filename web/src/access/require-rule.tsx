/** Shows its content only to people with a rule, and names the rule to the others. */

import type { ReactNode } from "react";
import { useMayEverywhere } from "../session/me";
import { Forbidden } from "../ui/states";

interface RequireRuleProps {
  rule: string;
  children: ReactNode;
}

export function RequireRule({ rule, children }: RequireRuleProps) {
  return useMayEverywhere(rule) ? children : <Forbidden rule={rule} />;
}
