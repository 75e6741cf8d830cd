import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DetectedIntent, Entity, Evidence } from "../../../src/intent/detection.ts";
import { markWords, withoutSecrets } from "../../../src/turn/record/recorded-words.ts";

const SECRET = "ada@example.org";
const evidence = (text: string, at: number, discounted?: "negated"): Evidence => ({
  ...{ layer: "keywords", source: text, text, at },
  ...(discounted ? { discounted } : {}),
});
const intent = (name: string, ...found: readonly Evidence[]): DetectedIntent => ({
  ...{ name, confidence: 1, layer: "keywords", evidence: found },
});
const email = (text: string, at: number): Entity => ({ name: "email", value: text, text, at, redact: true });
const none = { intents: [], discounted: [], entities: [] };

describe("a message in the record", () => {
  it("is cut where it is kept for suggestions, without entities that are redacted", () => {
    const entities = [email(SECRET, 5), email("ada", 5)];
    const message = withoutSecrets(`mail ${SECRET}, in blue${"!".repeat(300)}`, { entities });
    expect(message).toMatch(/^mail …, in blue!+$/);
    expect(message).toHaveLength(200);
  });

  it("has what was heard marked, and what did not count apart", () => {
    const message = "please refund it, do not cancel the order";
    const intents = [intent("REFUND", evidence("refund", 7))];
    const discounted = [intent("CANCEL", evidence("cancel the order", 25, "negated"))];
    expect(markWords(message, { ...none, intents, discounted })).toEqual([
      { text: "please " },
      { text: "refund", heard: ["REFUND"] },
      { text: " it, do not " },
      { text: "cancel the order", discounted: ["CANCEL"] },
    ]);
  });

  it("holds no word of a secret, wherever it stands, also where other words reach into it", () => {
    const message = `write to ${SECRET}, that is ${SECRET}`;
    const intents = [intent("WRITE", evidence("write to ada", 0))];
    expect(markWords(message, { ...none, intents, entities: [email(SECRET, 9)] })).toEqual([
      { text: "write to ", heard: ["WRITE"] },
      { text: "…" },
      { text: ", that is " },
      { text: "…" },
    ]);
  });

  it("marks nothing where the words are not where they were said to be", () => {
    const intents = [intent("WRITE", evidence("send", 0), { ...evidence("", 0), layer: "model" })];
    expect(markWords("sned it", { ...none, intents })).toEqual([{ text: "sned it" }]);
  });
});

it("pieces_make_up_the_message", () => {
  const at = fc.nat({ max: 60 });
  const pieces = fc.record({ from: at, length: fc.nat({ max: 12 }), name: fc.constantFrom("A", "B", "C") });
  fc.assert(
    fc.property(fc.string({ minLength: 0, maxLength: 60 }), fc.array(pieces, { maxLength: 6 }), (message, marks) => {
      const intents = marks.map(({ from, length, name }) =>
        intent(name, evidence(message.slice(from, from + length), from)),
      );
      const made = markWords(message, { ...none, intents });
      expect(made.map(({ text }) => text).join("")).toBe(message.toWellFormed());
      expect(made.every(({ text }) => text !== "")).toBe(true);
    }),
  );
});
