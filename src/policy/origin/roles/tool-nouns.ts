/** Reads the meaning of arguments from the nouns of the tool's name: the number of `phone_call` is a phone number. Pure. */
import { isCjkWord, nameWords, singulars } from "./name-words.ts";
import { cjkMeaning, latinMeaning, type WordMeaning } from "./role-words.ts";
import type { ToolEffect } from "./tool-verbs.ts";

/** Names of arguments whose meaning the tool's name decides. */
export const SAYS_TOOLS_NOUN: ReadonlySet<string> = new Set(
  "value valor valeur wert number no nr num numero nummer new neu nuevo".split(" "),
);

interface Noun {
  readonly meaning: Extract<WordMeaning, "address" | "destination" | "amount">;
  readonly word: string;
}

export function nounOf(tool: string): Noun | undefined {
  for (const word of nameWords(tool).toReversed())
    for (const form of singulars(word)) {
      const meaning = isCjkWord(form) ? cjkMeaning(form)?.meaning : latinMeaning(form);
      if (meaning === "address" || meaning === "destination" || meaning === "amount") return { meaning, word };
    }
  return undefined;
}

export const changes = (effects: ReadonlySet<ToolEffect>): boolean => [...effects].some((effect) => effect !== "read");

const AMOUNT_NOUNS = new Set("limit quota allowance stock budget price discount fee".split(" "));

/** `set_card_limit.daily`: whatever the number's name, it is an amount. */
export const setsAmount = (tool: string, effects: ReadonlySet<ToolEffect>): boolean =>
  changes(effects) && nameWords(tool).some((word) => singulars(word).some((form) => AMOUNT_NOUNS.has(form)));

/**
 * A word for a text means the record in a tool that destroys it (`delete_note.note`), and an amount in a tool that sets it
 * (`set_spending_limit.limit`).
 */
export function namedByTool(
  word: string,
  tool: string,
  effects: ReadonlySet<ToolEffect>,
  isNumber: boolean,
): "object" | "amount" | undefined {
  if (!nameWords(tool).some((one) => singulars(one).includes(word))) return undefined;
  if (isNumber) return AMOUNT_NOUNS.has(word) && changes(effects) ? "amount" : undefined;
  return effects.has("destroy") ? "object" : undefined;
}
