import { expect, it } from "vitest";
import { holdsBack } from "../../../src/intent/wish/holds-back.ts";
import { readChanges } from "../../bench/intents/judged-messages.ts";

const heard = (holds: boolean) => readChanges("open").filter((one) => one.holds === holds && holdsBack(one.text));

it("hears 85 of 108 messages that hold a change back", () => {
  expect(heard(true).length).toBeGreaterThanOrEqual(85);
});

it("takes at most 8 of 108 others for one", () => {
  expect(heard(false).length).toBeLessThanOrEqual(8);
});

it.each([
  "write Tom a mail, but let me see it first",
  "not yet, maybe tomorrow",
  "just a few ideas for now",
  "is 20 too much to refund?",
  "I'd close it, or wait, let me ask Kim",
  "thanks, good night",
])("hears what the documents name: %s", (text) => {
  expect(holdsBack(text)).toBe(true);
});

it("judges no message that is long, or that holds another's words alone", () => {
  expect(holdsBack(`not now, maybe tomorrow. ${"And this is what else happened today. ".repeat(10)}`)).toBe(false);
  expect(holdsBack('"let me see it first"')).toBe(false);
  expect(holdsBack("")).toBe(false);
});
