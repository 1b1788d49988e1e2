/**
 * What a person may do, decided from the rules of `/api/me`. Pure.
 *
 * This only decides what is offered; the server decides what happens.
 */

import type { Grant, Me } from "../api/types";

const READ = ".read";
const MANAGE = ".manage";

/** Whether a set of rules gives one: `*` gives all, managing includes reading. */
export function gives(held: readonly string[], rule: string): boolean {
  if (held.includes("*") || held.includes(rule)) return true;
  return rule.endsWith(READ) && held.includes(rule.slice(0, -READ.length) + MANAGE);
}

/** In one workspace, or everywhere when no workspace is named. */
export function may(me: Me, rule: string, workspaceId?: string): boolean {
  if (gives(me.rules, rule)) return true;
  return workspaceId !== undefined && gives(me.workspaceRules[workspaceId] ?? [], rule);
}

export function mayAnywhere(me: Me, rule: string): boolean {
  return (
    gives(me.rules, rule) || Object.values(me.workspaceRules).some((held) => gives(held, rule))
  );
}

/** Not decided by whether anything is shown, but by where a new thing may be placed. */
export function workspacesWhere(me: Me, rule: string): Me["workspaces"] {
  return me.workspaces.filter((workspace) => may(me, rule, workspace.id));
}

function isSubject(me: Me, grant: Grant): boolean {
  const { kind, id } = grant.subject;
  return kind === "user" ? id === me.id : me.teams.some((team) => team.id === id);
}

/**
 * Grants add to what roles give for one resource; once it has owners, only they change it.
 * A person with every rule is not kept out, so that ownership can be repaired.
 */
export function mayManage(
  me: Me,
  resource: { rule: string; workspaceId: string; grants: readonly Grant[] },
): boolean {
  if (me.rules.includes("*")) return true;
  const owners = resource.grants.filter((grant) => grant.level === "own");
  if (owners.length > 0) return owners.some((grant) => isSubject(me, grant));
  if (may(me, resource.rule, resource.workspaceId)) return true;
  return resource.grants.some((grant) => grant.level === "manage" && isSubject(me, grant));
}

/** The rules a person can hand to an application: their own ones that hold everywhere. */
export function ownRules(me: Me, existing: readonly string[]): string[] {
  return existing.filter((rule) => may(me, rule));
}
