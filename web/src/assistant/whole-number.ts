/** Numbers as they are typed. Pure. */

import { texts } from "../texts";

const DIGITS = /^\d+$/u;

/** Without the signs that people put between thousands. */
function plain(text: string): string {
  return text.replaceAll(/[\s,._'’]/gu, "");
}

export function parseWhole(text: string): number | null {
  return DIGITS.test(plain(text)) ? Number(plain(text)) : null;
}

export function checkWhole(text: string): string | undefined {
  const empty = text.trim() === "";
  return empty || parseWhole(text) !== null ? undefined : texts.integrations.notANumber;
}

export function formatWhole(number: number | null): string {
  return number === null ? "" : String(number);
}

export function formatThousands(number: number): string {
  return new Intl.NumberFormat("en").format(number);
}
