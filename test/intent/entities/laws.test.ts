import fc from "fast-check";
import { describe, expect, it } from "vitest";
import studyAgent from "../../../policies/study-agent.json" with { type: "json" };
import type { Entity } from "../../../src/intent/detection.ts";
import { fillArguments } from "../../../src/intent/entities/fill-arguments.ts";
import { findBuiltIn } from "../../../src/intent/entities/find-built-in.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { compileSchema } from "../../../src/policy/arguments/argument-schema.ts";
import { recordDetection } from "../../../src/turn/record/recorded-detection.ts";
import { leastCpuTime } from "../../support/cpu-time.ts";
import { extractor } from "./extract.ts";

const nothing = {
  intents: [],
  discounted: [],
  followUp: false,
  mayFollowUp: false,
  keepsTask: false,
  afterQuestion: false,
  selectAt: 0.9,
  missed: [],
};
const study = extractor(studyAgent);
const intents = Object.keys(studyAgent.intents);
const scraps = [
  ..."\"'“”„«»「」@.,:;-/()[]&= \n\t％＠５Ｎ年月日İſ\u0301",
  "ada@example.com",
  "https://",
  "www.",
  "2026-11-22",
  "22 Nov",
  "5 kg",
  "$1,000",
  "flashcards",
  "explain ",
  "N4",
  "助数詞",
  "grammar",
  "\ud800",
];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc
    .array(fc.oneof(fc.constantFrom(...scraps), fc.string({ maxLength: 5 })), { maxLength: 80 })
    .map((all) => all.join("")),
);

describe("laws of entities", () => {
  it("every_entity_stands_where_it_says", () => {
    fc.assert(
      fc.property(text, fc.subarray(intents), (message, detected) => {
        // The extractor compares each place with the message.
        const found = study(message, detected);
        expect(found.length).toBeLessThanOrEqual(32);
        for (const { value } of found) expect(value).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });

  it("what_is_redacted_is_nowhere_in_the_record", () => {
    const secret = "zq7".repeat(3);
    const hidden = fc.constantFrom(`${secret}@example.com`, `https://a.test/${secret}`, `"${secret} 5 kg"`);
    fc.assert(
      fc.property(fc.constantFrom("explain ", "5 cards about ", ""), hidden, text, (before, middle, after) => {
        const found = study(`${before}${middle} ${after.replaceAll("zq7", "")}`, intents);
        expect(found.some(({ redact }) => redact)).toBe(true);
        expect(JSON.stringify(recordDetection({ ...nothing, entities: found }, true))).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });

  it("what_is_filled_is_what_the_schema_accepts", () => {
    const property = fc.oneof(
      fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean", "array") }),
      fc.record({ type: fc.constant("string"), format: fc.constantFrom("email", "date", "uri", "date-time", "uuid") }),
      fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 }) }),
      fc.record({
        type: fc.constant("string"),
        maxLength: fc.nat(10),
        pattern: fc.constantFrom("^a", "\\d", "(", ".*"),
      }),
      fc.record({ minimum: fc.integer(), maximum: fc.integer() }),
      fc.jsonValue(),
    );
    const name = fc.constantFrom("date", "email", "url", "quantity", "a_b", "aB", "__proto__", "constructor");
    const value = fc.oneof(fc.string(), fc.integer(), fc.constantFrom("5", "2026-11-22", "ada@example.com", "--11-22"));
    const entities = fc.array(
      fc.record({ name, value, text: fc.constant(""), at: fc.constant(0), redact: fc.boolean() }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.dictionary(name, property), entities, (properties, found: Entity[]) => {
        const schema = { type: "object", properties };
        const filled = fillArguments(schema, found, workBudget());
        const compiled = compileSchema(schema, workBudget());
        expect(compiled.ok ? compiled.value.validate(filled, workBudget()) : Object.keys(filled)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("time_grows_with_the_text_and_no_faster", () => {
    const hostile = [
      '"',
      "“",
      "«",
      "@",
      "a@",
      "www.",
      "https://",
      "1,",
      "1.",
      "1",
      "5 ",
      "N",
      "about ",
      "/",
      "-",
      "nov 2",
      "(",
      "2026-",
      "'a",
    ];
    const time = (message: string) => leastCpuTime(() => findBuiltIn(message));
    for (const unit of hostile) {
      const [short = "", long = ""] = [4_000, 32_000].map((length) => unit.repeat(length / unit.length));
      // Eight times the text; quadratic would take 64 times as long. The constant is for a short run's noise.
      expect(time(long), unit).toBeLessThan(24 * (time(short) + 0.1));
    }
  });
});
