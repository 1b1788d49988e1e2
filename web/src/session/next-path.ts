/** Guards `?next=`: after signing in a person goes to a page of this origin and nowhere else. Pure. */

const ORIGIN = "http://assent.invalid";
const HOME = "/";

// Browsers drop tabs and line breaks and read a backslash as a slash, so `/\t/evil` leaves the origin.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const DISGUISED = /[\u0000-\u001f\u007f\\]/;

function isPage(pathname: string): boolean {
  return pathname !== "/login" && pathname !== "/api" && !pathname.startsWith("/api/");
}

export function safeNextPath(next: string | null): string {
  if (next === null || !next.startsWith("/") || next.startsWith("//")) return HOME;
  if (DISGUISED.test(next)) return HOME;
  if (!URL.canParse(next, ORIGIN)) return HOME;
  const url = new URL(next, ORIGIN);
  if (url.origin !== ORIGIN || url.pathname.startsWith("//")) return HOME;
  return isPage(url.pathname) ? url.pathname + url.search + url.hash : HOME;
}

export function loginPath(from: { pathname: string; search: string; hash: string }): string {
  const next = safeNextPath(from.pathname + from.search + from.hash);
  return next === HOME ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}
