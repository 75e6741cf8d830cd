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

it("judges no message that is long, or that holds another's words alone", () => {
  expect(holdsBack(`not now, maybe tomorrow. ${"And this is what else happened today. ".repeat(10)}`)).toBe(false);
  expect(holdsBack('"let me see it first"')).toBe(false);
  expect(holdsBack("")).toBe(false);
});
