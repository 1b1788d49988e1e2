/** Where a program wants the browser to go afterwards. Pure. */

const WEB = new Set(["http:", "https:"]);
/** These would run or show something here, instead of leaving. */
const NEVER = new Set(["javascript:", "data:", "blob:", "file:", "about:", "view-source:"]);

/** As the server names it: a host, or a scheme that a program on this machine has. */
export function isOwnScheme(place: string): boolean {
  return place.endsWith(":");
}

export type Way = "web" | "program" | "never";

/** To another page of the web, to a program on this machine by a scheme of its own, or nowhere. */
export function wayTo(address: string): Way {
  if (!URL.canParse(address)) return "never";
  const { protocol } = new URL(address);
  if (NEVER.has(protocol)) return "never";
  return WEB.has(protocol) ? "web" : "program";
}
