import { describe, expect, it } from "vitest";
import { allowanceOf, checkCredits, valuesOf } from "../../src/assistant/credit-draft";
import { checkPrices, newPrice, pricesOf, showPrices } from "../../src/assistant/prices";

const MONEY = { unit: "money", amount: "12,50", currency: "eur", chatEnabled: true } as const;

describe("credits", () => {
  it.each([
    [MONEY, { unit: "EUR", amount: "12.50" }],
    [
      { ...MONEY, unit: "tokens", amount: "1 000,000" },
      { unit: "tokens", amount: "1000000" },
    ],
    [{ ...MONEY, unit: "none" }, null],
  ] as const)("%j", (values, credits) => {
    expect(checkCredits(values)).toEqual({});
    expect(allowanceOf(values, 3)).toEqual({ credits, chatEnabled: true, expectedVersion: 3 });
  });

  it("says what is wrong", () => {
    expect(Object.keys(checkCredits({ ...MONEY, amount: "much", currency: "E" }))).toEqual([
      "amount",
      "currency",
    ]);
  });

  it("shows what is stored", () => {
    const credits = { unit: "EUR", amount: "5" };
    expect(valuesOf({ credits, chatEnabled: false, version: 1 })).toEqual({
      unit: "money",
      amount: "5",
      currency: "EUR",
      chatEnabled: false,
    });
  });
});

describe("prices", () => {
  const typed = { ...newPrice("1", "large"), input: "3", output: "15,5", cacheRead: "0.3" };

  it("come back as they were sent", () => {
    const [sent] = pricesOf([typed]);
    expect(sent).toEqual({
      model: "large",
      currency: "USD",
      input: "3",
      output: "15.5",
      cacheRead: "0.3",
      cacheWrite: null,
    });
    expect(pricesOf(showPrices(sent ? [sent] : []))).toEqual([sent]);
  });

  it.each([
    [typed, true],
    [{ ...typed, output: "" }, false],
    [{ ...typed, model: " " }, false],
    [{ ...typed, currency: "dollars" }, false],
    [{ ...typed, cacheWrite: "-1" }, false],
  ])("%j", (price, fine) => {
    expect(checkPrices([price]) === undefined).toBe(fine);
  });
});
