/** Guards `?next=`: after signing in a person goes to a page of this origin and nowhere else. Pure. */

const ORIGIN = "http://assent.invalid";
const HOME = "/";

function isPage(pathname: string): boolean {
  return pathname !== "/login" && pathname !== "/api" && !pathname.startsWith("/api/");
}

/**
 * Read with the parser that browsers use, which sees through backslashes, tabs and line breaks;
 * a path that still begins with two slashes would be another host once it is followed.
 */
export function safeNextPath(next: string | null): string {
  if (!next?.startsWith("/") || !URL.canParse(next, ORIGIN)) return HOME;
  const url = new URL(next, ORIGIN);
  if (url.origin !== ORIGIN || url.pathname.startsWith("//")) return HOME;
  return isPage(url.pathname) ? url.pathname + url.search + url.hash : HOME;
}

export function loginPath(from: { pathname: string; search: string; hash: string }): string {
  const next = safeNextPath(from.pathname + from.search + from.hash);
  return next === HOME ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}
