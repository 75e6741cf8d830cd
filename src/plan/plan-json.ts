/** The JSON in a model's answer: alone, in a fence, or with words around it. Pure, linear in the text. */

import { type JsonFault, type JsonValue, parseStrictJson } from "../lib/json/strict-json.ts";
import { err, ok, type Result } from "../lib/result.ts";

const FAULTS: Readonly<Record<JsonFault["problem"], string>> = {
  syntax: "the answer is not valid JSON",
  duplicate_key: "the plan holds a key twice",
  proto_key: "the plan holds the key `__proto__`",
  number: "the plan holds a number that does not survive being read",
  depth: "the plan is nested too deeply",
};

export function planJson(text: string): Result<JsonValue, string> {
  for (const candidate of candidates(text)) {
    const parsed = parseStrictJson(candidate);
    if (parsed.ok) return ok(parsed.value);
    if (parsed.error.problem !== "syntax") return err(FAULTS[parsed.error.problem]);
  }
  return err(FAULTS.syntax);
}

function* candidates(text: string): Generator<string> {
  yield text;
  // Some providers leave what a model thought in its answer.
  const answer = text.slice(text.lastIndexOf("</think>") + 1);
  const fence = answer.indexOf("```");
  const end = answer.lastIndexOf("```");
  if (fence >= 0 && end > fence) yield answer.slice(fence + 3, end).replace(/^json\b/i, "");
  const [start, last] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf("}"), answer.lastIndexOf("]"))];
  if (start >= 0 && last > start) yield answer.slice(start, last + 1);
}
