/** Where a link of an answer may lead. Pure. */

export type LinkTarget =
  | { kind: "inside"; to: string }
  | { kind: "outside"; url: string }
  | { kind: "nowhere" };

const OUTSIDE = new Set(["http:", "https:"]);
const NOWHERE: LinkTarget = { kind: "nowhere" };

/**
 * The pages, by the first word of their path. Everything else on this origin is a request to the
 * server, some with an effect and all with the reader's session, or, with two slashes in front,
 * another host once it is followed.
 */
const PAGE =
  /^\/(?:(?:chat|proposals|audit|usage|assistant|knowledge|settings|people|dev|p)(?:\/|$)|$)/u;
const OF_THE_ANSWER = /^[#?]/u;

/**
 * Unfinished links come without an address, or with one that the renderer made up. A name or a
 * password in an address makes it look like another one.
 */
export function decideLink(href: string | undefined, origin: string): LinkTarget {
  const address = href?.trim() ?? "";
  if (address === "" || OF_THE_ANSWER.test(address)) return NOWHERE;
  const url = URL.parse(address, origin);
  if (url === null || !OUTSIDE.has(url.protocol) || url.username || url.password) return NOWHERE;
  if (url.origin !== origin) return { kind: "outside", url: url.href };
  return PAGE.test(url.pathname)
    ? { kind: "inside", to: url.pathname + url.search + url.hash }
    : NOWHERE;
}

/** What stands behind the last blank of a growing text: it may go on with the next piece. */
export function findTail(text: string): string {
  const blank = Math.max(...[" ", "\n", "\t"].map((one) => text.lastIndexOf(one)));
  return text.slice(blank + 1);
}

function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** Whether the address is one that is still being written. */
export function mayGoOn(href: string | undefined, tail: string): boolean {
  const written = href?.replace(/^https?:\/\//iu, "") ?? "";
  return written !== "" && (tail.includes(written) || tail.includes(decode(written)));
}

export interface Address {
  before: string;
  /** As it is looked up: other letters than a–z are spelled out as `xn--…`. */
  host: string;
  after: string;
  foreign: boolean;
}

/** For showing where an address really leads. */
export function splitAddress(address: string): Address {
  const { protocol, host, href } = new URL(address);
  const before = `${protocol}//`;
  return {
    before,
    host,
    after: href.slice(before.length + host.length),
    foreign: /(?:^|\.)xn--/u.test(host),
  };
}
