/** The question for arguments that the user's words did not give. Pure. What it tells of them is the schema's own. */

import { isObject } from "../lib/json/json-object.ts";
import { plainLine } from "../lib/text/plain-line.ts";
import type { Language } from "./disclosure/disclosed.ts";
import { memberSchemas, ownOf } from "./edit/schema-at.ts";
import { fillWords } from "./words/fill-words.ts";
import { wordsOf } from "./words/words-of.ts";

const MAX_NAME = 100;
const MAX_DESCRIPTION = 200;
/** More choices than a person reads in a line are not told. */
const MAX_CHOICES = 8;
const MAX_CHOICE = 40;

/** @param schema of the tool's arguments. */
export function valuesQuestion(schema: unknown, names: readonly string[], language: Language): string {
  const { values, problems, frame } = wordsOf(language);
  const members = memberSchemas(schema, schema);
  const lines = names.map((name) => {
    const told = [describe(members.get(name)), choicesOf(members.get(name), problems)].filter((part) => part !== "");
    const label = `\`${plainLine(name, MAX_NAME)}\``;
    return `- ${told.length === 0 ? label : fillWords(values.item, { name: label, told: told.join("; ") })}`;
  });
  const example = `\`${names.map((name) => `${plainLine(name, MAX_NAME)}: …`).join(", ")}\``;
  const isOne = names.length === 1;
  const asks = isOne ? values.asksOne : fillWords(values.asks, { count: String(names.length) });
  const how = fillWords(isOne ? values.howOne : values.how, { example, no: `**${frame.options.no}**` });
  return `${asks}\n\n${lines.join("\n")}\n\n${how}`;
}

function describe(schema: unknown): string {
  const description = isObject(schema) ? ownOf(schema, "description") : undefined;
  return typeof description === "string" ? plainLine(description, MAX_DESCRIPTION).replace(/[.。]$/, "") : "";
}

function choicesOf(schema: unknown, { oneOf, or }: { readonly oneOf: string; readonly or: string }): string {
  const choices = isObject(schema) ? ownOf(schema, "enum") : undefined;
  if (!Array.isArray(choices) || choices.length > MAX_CHOICES) return "";
  const told = choices.flatMap((one: unknown) =>
    typeof one === "string" || typeof one === "number" ? [String(one)] : [],
  );
  return told.length === 0 ? "" : fillWords(oneOf, { choices: told.map((one) => plainLine(one, MAX_CHOICE)).join(or) });
}
