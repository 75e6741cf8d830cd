/** The policy's own words for a call: `{{name}}` or `{{a.b}}` stands for an argument. Pure. */

import { valueAt } from "../../lib/json/json-value.ts";
import { codeSpan, proseParts } from "../../lib/text/prose.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { surelyIn } from "../words/language.ts";
import type { Language, LocalText } from "./disclosed.ts";
import { valueInSentence } from "./shown-value.ts";

const place = /\{\{\s*([^{}\s]{1,200})\s*\}\}/g;
const MAX_SENTENCE = 1_000;

/** In this language, else in English, else in any that there is. */
export function localText(text: LocalText | undefined | null, language: Language): string | undefined {
  if (typeof text !== "object" || text === null) return text ?? undefined;
  return text[language] ?? text.en ?? Object.values(text).find((one) => one !== undefined);
}

/**
 * Words of the policy in this language; undefined where it has them only in others. A text that names no language is in the one that its
 * words show, else in English. A name without a blank (`ACME`, `api.example.org`) is the same in all.
 */
export function textIn(text: LocalText | undefined | null, language: Language): string | undefined {
  if (typeof text === "object" && text !== null) return text[language];
  if (text === undefined || text === null) return undefined;
  return !/\s/.test(text.trim()) || (surelyIn(text) ?? "en") === language ? text : undefined;
}

/** The names of the arguments that a template stands on, each as a path. */
export function placesOf(text: LocalText): string[] {
  const texts = typeof text === "string" ? [text] : Object.values(text);
  return [...new Set(texts.flatMap((one) => [...(one ?? "").matchAll(place)].map(([, path = ""]) => path)))];
}

const quotedPlace = /(["'“„«「『《〈`]?)\{\{\s*([^{}\s]{1,200})\s*\}\}(["'”“»」』》〉`]?)/g;
const pairs: ReadonlySet<string> = new Set(['""', "''", "“”", "„“", "«»", "「」", "『』", "《》", "〈〉", "``"]);

/**
 * A sentence with the values in it as code, instead of the quotation marks that the policy puts around them.
 * @param args as who reads may see them. A name that no argument has stays as it is written.
 */
export function fillTemplate(text: string, args: Readonly<Record<string, unknown>>): string {
  let filled = "";
  let words = "";
  let from = 0;
  for (const match of text.matchAll(quotedPlace)) {
    const [whole, open = "", path = "", close = ""] = match;
    const value = valueAt(args, [path]) ?? valueAt(args, path.split("."));
    words += text.slice(from, match.index);
    from = match.index + whole.length;
    const isQuoted = pairs.has(open + close);
    if (value === undefined) words += whole;
    else {
      filled += policyWords(isQuoted ? words : words + open) + valueInSentence(value);
      words = isQuoted ? "" : close;
    }
  }
  return (filled + policyWords(words + text.slice(from))).trim();
}

/** A policy's words as prose: an unpaired backtick in them must not open a value's. Blanks at the ends stay. */
export function policyWords(text: string): string {
  const [, before = "", words = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  const parts = proseParts(plainLine(words, MAX_SENTENCE)).map((part) =>
    part.isCode ? codeSpan(part.text) : part.text.replaceAll("`", "'"),
  );
  return `${before === "" ? "" : " "}${parts.join("")}${after === "" ? "" : " "}`;
}

/** The question that a template ends with, where it holds no argument: it replaces the usual one. */
export function splitQuestion(text: string): { readonly statement: string; readonly question: string | undefined } {
  const trimmed = text.trim();
  const found = /^(.*(?:[.!…:]\s|[。！：]\s*|\n))([^{}.!。！\n]{1,100}[?？])$/s.exec(trimmed);
  const [, statement = "", question = ""] = found ?? [];
  return question.trim() === "" || statement.trim() === ""
    ? { statement: trimmed, question: undefined }
    : { statement: statement.trim(), question: policyWords(question).trim() };
}
