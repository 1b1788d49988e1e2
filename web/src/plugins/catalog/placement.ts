/** Where a new entry may be placed. */

import { may, workspacesWhere } from "../../access/rules";
import type { Named } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";

export interface Placement {
  /** The workspaces to choose from; empty when the person may not create anything here. */
  options: Named[];
  initial: string;
}

export function usePlacement(rule: string): Placement {
  const me = useMe();
  const { workspace } = useWorkspace();
  if (workspace !== null) {
    const allowed = may(me, rule, workspace.id);
    return { options: allowed ? [workspace] : [], initial: workspace.id };
  }
  const options = workspacesWhere(me, rule);
  return { options, initial: options[0]?.id ?? "" };
}
