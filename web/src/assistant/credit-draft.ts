/** Credits as they are typed, and as they are sent. Pure. */

import type { Allowance, AllowanceChange } from "../api/types";
import { invalidOf } from "../forms/validate";
import { texts } from "../texts";

const words = texts.credits;

export type Unit = keyof typeof words.units;

export const UNITS = Object.keys(words.units) as Unit[];

export interface CreditValues {
  unit: Unit;
  amount: string;
  currency: string;
  chatEnabled: boolean;
}

const NUMBER = /^\d+(\.\d+)?$/u;

export function valuesOf({ credits = null, chatEnabled }: Allowance): CreditValues {
  const inTokens = credits === null || credits.unit === "tokens";
  return {
    unit: credits === null ? "none" : inTokens ? "tokens" : "money",
    amount: credits === null ? "" : String(credits.amount),
    currency: inTokens ? "USD" : credits.unit,
    chatEnabled,
  };
}

/** Spaces and signs between thousands of tokens are for people. */
function plain({ unit, amount }: CreditValues): string {
  return unit === "tokens" ? amount.replaceAll(/[\s,._'’]/gu, "") : amount.trim().replace(",", ".");
}

export function allowanceOf(values: CreditValues, version: number): AllowanceChange {
  const { unit, currency, chatEnabled } = values;
  const named = unit === "tokens" ? "tokens" : currency.trim().toUpperCase();
  return {
    credits: unit === "none" ? null : { unit: named, amount: plain(values) },
    chatEnabled,
    ...(version > 0 ? { expectedVersion: version } : {}),
  };
}

export function checkCredits(values: CreditValues) {
  const { unit, currency } = values;
  const wrong = unit === "money" && !/^[A-Za-z]{3}$/u.test(currency.trim());
  return invalidOf({
    amount: unit === "none" || NUMBER.test(plain(values)) ? undefined : words.amountWrong,
    currency: wrong ? words.currencyWrong : undefined,
  });
}
