import * as fc from "fast-check";
import { expect, test } from "vitest";
import { digestsOfWrite, lookUpTainted } from "../../../src/policy/origin/sources/tainted-values.ts";

const text = fc
  .array(fc.constantFrom("pay", "eve@evil.example", "Grüße", "请付款", "tomorrow", "12.50", "\n"), {
    minLength: 4,
    maxLength: 30,
  })
  .map((words) => words.join(" "))
  .filter((words) => words.replace(/\s+/g, " ").trim().length >= 8);
const lookUp = (values: readonly string[]) =>
  lookUpTainted({ writes: [{ tool: "w", session: "s", digests: digestsOfWrite(values) }], isFull: false });

test("what_was_written_is_known_again_whatever_its_case_and_blanks_alone_or_in_json", () => {
  fc.assert(
    fc.property(text, fc.boolean(), (written, asJson) => {
      const { writerOf, writerIn } = lookUp([written]);
      const changed = ` ${written.toLowerCase().replaceAll(" ", "  ")}\u200b`;
      expect(writerOf(changed)).toBeDefined();
      expect(writerIn(asJson ? JSON.stringify([{ id: 1, note: { body: changed } }]) : changed)).toBeDefined();
    }),
  );
});

test("the_longest_lines_are_known_by_themselves_and_short_values_are_not", () => {
  const { writerIn, writerOf } = lookUp(["short\nthis line is the longest of the note\nanother line", "done"]);
  expect(writerIn("Title\n  this line is the LONGEST of the note\n")).toMatchObject({ tool: "w", session: "s" });
  expect(writerOf("done")).toBeUndefined();
  expect(writerIn("something else entirely")).toBeUndefined();
});

test("of_one_call_few_digests_are_kept", () => {
  const values = Array.from({ length: 100 }, (_, n) => `value number ${n}\nwith a line of its own ${n}`);
  expect(digestsOfWrite(values).length).toBeLessThanOrEqual(12);
});
