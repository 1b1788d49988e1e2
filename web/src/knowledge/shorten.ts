/** The beginning of a text, as its name. Pure. */

const MOST = 60;

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length <= MOST ? line : `${line.slice(0, MOST - 1).trimEnd()}…`;
}
