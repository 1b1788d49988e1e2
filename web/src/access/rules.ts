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
export function may(me: Me, rule: string, workspaceId?: string | undefined): boolean {
  if (gives(me.rules, rule)) return true;
  return workspaceId !== undefined && gives(me.workspaceRules[workspaceId] ?? [], rule);
}

export function mayAnywhere(me: Me, rule: string): boolean {
  return (
    gives(me.rules, rule) || Object.values(me.workspaceRules).some((held) => gives(held, rule))
  );
}

/** Where a new thing may be placed. */
export function workspacesWhere(me: Me, rule: string): Me["workspaces"] {
  return me.workspaces.filter((workspace) => may(me, rule, workspace.id));
}

function isSubject(me: Me, grant: Grant): boolean {
  const { kind, id } = grant.subject;
  return kind === "user" ? id === me.id : me.teams.some((team) => team.id === id);
}

interface Resource {
  rule: string;
  workspaceId: string;
  grants: readonly Grant[];
}

function isGranted(me: Me, grants: readonly Grant[]): boolean {
  return grants.some((grant) => grant.level !== "read" && isSubject(me, grant));
}

/** Once a resource has owners, only they and those whom they let change it; and admins. */
function isKeptByOwners(me: Me, grants: readonly Grant[]): boolean {
  if (me.rules.includes("*") || isGranted(me, grants)) return false;
  return grants.some((grant) => grant.level === "own");
}

export function mayManage(me: Me, { rule, workspaceId, grants }: Resource): boolean {
  if (isKeptByOwners(me, grants)) return false;
  return may(me, rule, workspaceId) || isGranted(me, grants);
}

/** Handing out a resource takes more than changing it: the rule everywhere, or a grant on it. */
export function mayGrant(me: Me, { rule, grants }: Omit<Resource, "workspaceId">): boolean {
  if (!may(me, "identity.team.manage") || isKeptByOwners(me, grants)) return false;
  return may(me, rule) || isGranted(me, grants);
}

/** Nobody hands out rules that they do not hold themselves. */
export function mayGive(me: Me, rules: readonly string[], workspaceId: string | null): boolean {
  return rules.every((rule) => may(me, rule, workspaceId ?? undefined));
}

/** The rules a person can hand on: their own ones that hold everywhere. */
export function ownRules(me: Me, existing: readonly string[]): string[] {
  return existing.filter((rule) => may(me, rule));
}
