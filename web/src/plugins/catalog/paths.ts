/** Addresses inside the catalog. Pure. */

export const SYSTEMS_PATH = "/p/catalog/systems";

export function systemPath(id: string): string {
  return `${SYSTEMS_PATH}/${encodeURIComponent(id)}`;
}

export function systemsOfGroupPath(groupId: string): string {
  return `${SYSTEMS_PATH}?group=${encodeURIComponent(groupId)}`;
}

export function systemsOfEnvironmentPath(environmentId: string): string {
  return `${SYSTEMS_PATH}?environment=${encodeURIComponent(environmentId)}`;
}
