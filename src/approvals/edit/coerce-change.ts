/** Converts the text of `edit field=value` into the value that the schema demands. Pure. */

import { isObject, memberOf } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { shownValue } from "../disclosure/shown-value.ts";
import { fillWords, type Words, wordsOf } from "../words/words.ts";

type ProblemWords = Words["problems"];

/**
 * @param schema the field's schema, with its `$ref` followed. Without a schema the text is the value.
 * @returns the value, or the error for a person (what the value must be), as prose of `lib/text/prose.ts`.
 */
export function coerceChange(
  text: string,
  schema: unknown,
  words: ProblemWords = wordsOf("en").problems,
): Result<unknown, string> {
  const types = typesOf(schema);
  const choices = isObject(schema) ? memberOf(schema, "enum") : undefined;
  if (Array.isArray(choices)) return choose(text, choices, words);
  if (types.length === 0) return ok(text);
  const trimmed = text.trim();
  if (types.includes("null") && trimmed === "null") return ok(null);
  for (const type of types) {
    const read = readAs(type, trimmed);
    if (read !== undefined) return ok(read.value);
  }
  if (types.includes("string")) return ok(text);
  return err(
    named
      .filter((type) => types.includes(type))
      .map((type) => words[type])
      .join(words.or),
  );
}

/** The types that error messages have words for. */
const named = ["number", "integer", "boolean", "array", "object"] as const;

/** The schema's own types, and those of its alternatives. */
function typesOf(schema: unknown, depth = 0): string[] {
  if (!isObject(schema) || depth > 4) return [];
  const type = memberOf(schema, "type");
  const own = Array.isArray(type) ? type : [type];
  const others = ["anyOf", "oneOf"].flatMap((name) => {
    const parts = memberOf(schema, name);
    return Array.isArray(parts) ? parts.slice(0, 16).flatMap((part) => typesOf(part, depth + 1)) : [];
  });
  return [...own.filter((one): one is string => typeof one === "string"), ...others];
}

/** Limits of the choices in an error: the client's schema may have many and long ones. */
const MAX_CHOICES = 20;
const MAX_CHOICE = 60;

function choose(text: string, choices: readonly unknown[], words: ProblemWords): Result<unknown, string> {
  const written = text.trim();
  const asText = (choice: unknown) => (typeof choice === "string" ? choice : JSON.stringify(choice));
  const exact = choices.find((choice) => asText(choice) === written);
  const loose = exact ?? choices.find((choice) => asText(choice)?.toLowerCase() === written.toLowerCase());
  if (loose !== undefined) return ok(loose);
  const some = choices.slice(0, MAX_CHOICES).map((choice) => codeSpan(shownValue(choice, MAX_CHOICE).text));
  return err(fillWords(words.oneOf, { choices: some.join(", ") }));
}

function readAs(type: string, text: string): { readonly value: unknown } | undefined {
  if (type === "boolean") return text === "true" ? { value: true } : text === "false" ? { value: false } : undefined;
  const json = parseStrictJson(text);
  if (type === "integer") return json.ok && Number.isInteger(json.value) ? { value: json.value } : undefined;
  if (type === "number") return json.ok && typeof json.value === "number" ? { value: json.value } : undefined;
  if (type === "object") return json.ok && isObject(json.value) ? { value: json.value } : undefined;
  if (type !== "array") return undefined;
  if (json.ok && Array.isArray(json.value)) return { value: json.value };
  if (text.startsWith("[") || text.startsWith("{")) return undefined;
  return { value: text === "" ? [] : text.split(/[,，、]/).map((item) => item.trim()) };
}
