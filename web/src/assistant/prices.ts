/** Prices as they are typed, and as they are sent. Pure. */

import type { Integration } from "../api/types";
import { texts } from "../texts";

type Price = Integration["prices"][number];

export interface PriceValues {
  /** Only for this page: which row is which. */
  id: string;
  model: string;
  currency: string;
  input: string;
  output: string;
  cacheRead: string;
  cacheWrite: string;
}

const NUMBER = /^\d+(\.\d+)?$/u;
const CURRENCY = /^[A-Z]{3}$/u;

export function newPrice(id: string, model: string): PriceValues {
  return { id, model, currency: "USD", input: "", output: "", cacheRead: "", cacheWrite: "" };
}

export function showPrices(prices: readonly Price[]): PriceValues[] {
  return prices.map((price, index) => ({
    id: `stored-${index}`,
    model: price.model,
    currency: price.currency ?? "USD",
    input: String(price.input),
    output: String(price.output),
    cacheRead: price.cacheRead === null ? "" : String(price.cacheRead),
    cacheWrite: price.cacheWrite === null ? "" : String(price.cacheWrite),
  }));
}

/** People write a comma too. */
function plain(text: string): string {
  return text.trim().replace(",", ".");
}

function optional(text: string): string | null {
  return plain(text) === "" ? null : plain(text);
}

export function pricesOf(values: readonly PriceValues[]): Price[] {
  return values.map((value) => ({
    model: value.model.trim(),
    currency: value.currency.trim().toUpperCase(),
    input: plain(value.input),
    output: plain(value.output),
    cacheRead: optional(value.cacheRead),
    cacheWrite: optional(value.cacheWrite),
  }));
}

function holds(price: Price): boolean {
  const numbers = [price.input, price.output, price.cacheRead, price.cacheWrite];
  return (
    price.model !== "" &&
    CURRENCY.test(price.currency ?? "") &&
    numbers.every((number) => number === null || NUMBER.test(String(number)))
  );
}

export function checkPrices(values: readonly PriceValues[]): string | undefined {
  return pricesOf(values).every(holds) ? undefined : texts.integrations.priceWrong;
}
