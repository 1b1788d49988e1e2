/** Addresses inside the health checks. Pure. */

export const CHECKS_PATH = "/p/healthcheck/checks";
export const NEW_CHECK_PATH = `${CHECKS_PATH}/new`;

export function checkPath(id: string): string {
  return `${CHECKS_PATH}/${encodeURIComponent(id)}`;
}

export function editCheckPath(id: string): string {
  return `${checkPath(id)}/edit`;
}
