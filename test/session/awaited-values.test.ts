import { expect, it } from "vitest";
import { answeredValues, awaitedBy, type KeptValues } from "../../src/session/awaited-values.ts";

const values = { intent: "A", tool: "t", filled: { a: 1 }, missing: ["b"], question: "q" };
const kept: KeptValues = { ...values, asked: "d1", task: 4 };
const held = { intents: ["A"], task: 4 };
const answer = { digest: "d2", givesValues: [], follows: "q" };

it("are told to the message that answers, and to the same one again", () => {
  const answered = answeredValues(kept, held, answer);
  expect(answered).toEqual({ ...kept, answered: "d2", task: 5 });
  expect(awaitedBy(answered, "d2")).toEqual(values);
  expect(awaitedBy(answered, "d3")).toBeUndefined();
  expect(awaitedBy(kept, "d1")).toBeUndefined();
  const again = answeredValues(answered, { ...held, task: 5 }, answer);
  expect([awaitedBy(again, "d2"), again?.task]).toEqual([values, 6]);
});

it.each([
  ["nothing was asked", undefined, held, answer],
  ["it is no plain answer", kept, held, { ...answer, givesValues: undefined }],
  ["it follows other words", kept, held, { ...answer, follows: "another" }],
  ["it asks for something else", kept, held, { ...answer, givesValues: ["A", "B"] }],
  ["it is the one that asked, again", kept, held, { ...answer, digest: "d1" }],
  ["another has answered", { ...kept, answered: "d3" }, held, answer],
  ["another intent is held", kept, { ...held, intents: ["B"] }, answer],
  ["several are", kept, { ...held, intents: ["A", "B"] }, answer],
  ["older code has moved the session on", kept, { ...held, task: 5 }, answer],
])("are not answered where %s", (_, values, standing, message) => {
  expect(answeredValues(values, standing, message)).toBeUndefined();
});
