/** The signed-in person, given to everything inside the shell, and the workspace they look at. */

import { createContext, type ReactNode, use, useMemo } from "react";
import { may, mayAnywhere } from "../access/rules";
import type { Me, Named } from "../api/types";
import { useStored } from "./stored";

const MeContext = createContext<Me | null>(null);

interface MeProviderProps {
  me: Me;
  children: ReactNode;
}

export function MeProvider({ me, children }: MeProviderProps) {
  return <MeContext value={me}>{children}</MeContext>;
}

export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) throw new Error("useMe needs a MeProvider above it");
  return me;
}

/** Whether to offer something: in the named workspace, or in any when none is named. */
export function useMay(rule: string, workspaceId?: string): boolean {
  const me = useMe();
  return workspaceId === undefined ? mayAnywhere(me, rule) : may(me, rule, workspaceId);
}

/** Rules about people and roles hold everywhere or not at all. */
export function useMayEverywhere(rule: string): boolean {
  return may(useMe(), rule);
}

interface WorkspaceChoice {
  /** Nothing means all workspaces. */
  workspace: Named | null;
  choose: (id: string | null) => void;
}

export function useWorkspace(): WorkspaceChoice {
  const { workspaces } = useMe();
  const [id, choose] = useStored("assent.workspace");
  return useMemo(
    () => ({ workspace: workspaces.find((workspace) => workspace.id === id) ?? null, choose }),
    [workspaces, id, choose],
  );
}
