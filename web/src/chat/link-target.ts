/** Where a link of an answer may lead. Pure. */

export type LinkTarget =
  | { kind: "inside"; to: string }
  | { kind: "outside"; url: string }
  | { kind: "nowhere" };

const OUTSIDE = new Set(["http:", "https:"]);
const NOWHERE: LinkTarget = { kind: "nowhere" };

/** Unfinished links come without an address, or with one that the renderer made up. */
export function decideLink(href: string | undefined, origin: string): LinkTarget {
  if (href === undefined || href.trim() === "") return NOWHERE;
  const url = URL.parse(href, origin);
  if (url === null || !OUTSIDE.has(url.protocol)) return NOWHERE;
  if (url.origin !== origin) return { kind: "outside", url: url.href };
  return { kind: "inside", to: url.pathname + url.search + url.hash };
}
