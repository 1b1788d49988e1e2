/** Memberships in words. Pure. */

import type { Membership, Named, Role } from "../api/types";
import { texts } from "../texts";

export function describeMemberships(
  memberships: readonly Membership[],
  roles: readonly Role[],
  workspaces: readonly Named[],
): string[] {
  return memberships.flatMap(({ roleId, workspaceId }) => {
    const role = roles.find((entry) => entry.id === roleId)?.name;
    if (role === undefined) return [];
    if (!workspaceId) return [role];
    const workspace = workspaces.find((entry) => entry.id === workspaceId)?.name;
    return [texts.people.roleIn(role, workspace ?? texts.catalog.unknown)];
  });
}
