import { expect, it } from "vitest";
import { textForModel } from "../../../src/policy/reason-texts.ts";
import { readArguments } from "../../../src/turn/step/read-arguments.ts";

const read = (args: string) => readArguments({ id: "c1", name: "find", arguments: args, extra: undefined });

it("a_number_that_no_double_holds_is_refused_and_the_model_reads_what_to_do", () => {
  const refused = read('{"id":1190384512345678901}');
  if (refused.ok) throw new Error("it was read");
  expect(textForModel(refused.reason)).toContain("give it as text (in quotes)");
  expect(read('{"id":"1190384512345678901"}')).toEqual({ ok: true, value: { id: "1190384512345678901" } });
});
