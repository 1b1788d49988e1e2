/** Checks that need no server. Each gives a message, or nothing when all is well. Pure. */

import { texts } from "../texts";

export const PASSWORD_LENGTH = { least: 12, most: 200 };

export function needed(value: string): string | undefined {
  return value.trim() === "" ? texts.forms.required : undefined;
}

export function checkPassword(password: string): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.least) return texts.forms.tooShort(PASSWORD_LENGTH.least);
  return length > PASSWORD_LENGTH.most ? texts.forms.tooLong(PASSWORD_LENGTH.most) : undefined;
}

export function checkRepeated(password: string, repeated: string): string | undefined {
  return password === repeated ? undefined : texts.forms.notEqual;
}

type Verdicts<Name extends string> = Record<Name, string | undefined>;

export function invalidOf<Name extends string>(
  verdicts: Verdicts<Name>,
): Partial<Record<Name, string>> {
  const found = Object.entries<string | undefined>(verdicts).filter(([, verdict]) => verdict);
  return Object.fromEntries(found) as Partial<Record<Name, string>>;
}

/** A short name from a name: `Core Payments` becomes `core-payments`. */
export function slugFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-+|-+$/gu, "")
    .slice(0, 48);
}
