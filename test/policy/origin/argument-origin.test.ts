/** Amounts that a person writes in another unit than the one that the argument names. */
import { describe, expect, it } from "vitest";
import { originOfArgument } from "../../../src/policy/origin/argument-origin.ts";
import { sourcesOf } from "../../../src/policy/origin/sources/sources.ts";

describe("an amount in the unit that its argument names", () => {
  const originOf = (text: string, pointer: string, value: number) => {
    const one = { pointer, value, role: { role: "amount" as const, because: "" } };
    return originOfArgument(one, [one], sourcesOf([{ kind: "user", text }]))?.kind;
  };

  it.each([
    ["refund $19.99", "/amount_cents", 1999],
    ["sell 1.5 kg of silver", "/amount_grams", 1500],
    ["two hours", "/duration_minutes", 120],
    ["up to 2 GB", "/limitMb", 2048],
  ])("`%s` gives %s", (text, pointer, value) => {
    expect(originOf(text, pointer, value)).toBe("user");
  });

  it.each([
    ["refund $19.99", "/amount_cents", 199900],
    ["refund $19.99", "/amount", 1999],
    ["sell 1.5 lb of silver", "/amount_grams", 1500],
    ["two days", "/duration_minutes", 120],
  ])("`%s` does not give %s %d", (text, pointer, value) => {
    expect(originOf(text, pointer, value)).toBeUndefined();
  });
});
