import { expect, it } from "vitest";
import { leavesAmountOpen, statesAmount } from "../../../src/policy/origin/stated-amount.ts";

it.each([
  "Pay 20 to Anna and keep the rest",
  "Pay Anna 20 euros for the rest of the cake",
  "Transfer to Anna 300 euros, same account",
  "Pay my friend Bob $50, his share",
  "Überweise 20 Euro an Anna, wie immer",
  "Überweise Anna 20 Euro, den Rest behalte ich",
  "Paga a Ana 20 euros por su parte",
])("says how much, whatever else it says: %s", (text) => {
  expect([statesAmount(text), leavesAmountOpen(text)]).toEqual([true, false]);
});

it.each([
  "Send Anna the difference",
  "Send Anna half of 20 euros",
  "Pay a third of the 300 euros to Bob",
  "Überweise Anna die Hälfte von 20 Euro",
  "Pay Bob what he paid last month",
])("leaves it open: %s", (text) => {
  expect([statesAmount(text), leavesAmountOpen(text)]).toEqual([false, true]);
});

it("says neither", () => {
  expect([statesAmount("Pay the bill"), leavesAmountOpen("Pay the bill")]).toEqual([false, false]);
});
