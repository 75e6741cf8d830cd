/** Suggestions for the first message: words that the policy's intents detect. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

const MANY = 4;

/** An example of each intent, else its first keyword, of the first ones that have any. */
export function openingsOf(document: Readonly<Record<string, unknown>>): readonly string[] {
  const intents = Object.values(isObject(document.intents) ? document.intents : {}).filter(isObject);
  return intents.flatMap(({ examples, keywords }) => firstOf(examples) ?? firstOf(keywords) ?? []).slice(0, MANY);
}

function firstOf(list: unknown): string | undefined {
  const [first]: readonly unknown[] = Array.isArray(list) ? list : [];
  return typeof first === "string" ? first : undefined;
}
