/**
 * Which acts a message names, in the words of seven languages: deletes, pays, gives access, commits, sends, changes, makes, reads. An
 * unknown verb names none, so callers conclude nothing from a message without any. Pure, in linear time.
 */
import { spokenActs } from "../../lib/acts/act-words.ts";
import { lazyRegExp, once } from "../../lib/once.ts";
import type { UserActs } from "../../policy/origin/origin-types.ts";
import type { ToolEffect } from "../../policy/origin/roles/tool-verbs.ts";
import { splitByRefusal } from "../lexical/lexical.ts";

type Act = Exclude<ToolEffect, "deliver" | "execute">;

const ACTS: readonly Act[] = ["destroy", "pay", "access", "commit", "send", "change", "create", "read"];

/** Acts that take several words. */
const PHRASES: Partial<Record<Act, string>> = {
  destroy: String.raw`\b(?:get(?:ting)? rid of|throw\p{L}* .{0,40}\b(?:away|out)|shut .{0,40}\bdown|wirf .{0,40}\bweg|raum.{0,60}\bauf\b|sag.{1,40}\bab\b)|整理(?=.{0,4}(?:掉|旧|舊))`,
  pay: String.raw`\b(?:money|geld|dinero|argent)\b|[€$£¥]\s?\d|\d\s?(?:[€$£¥]|(?:euros?|dollars?|eur|usd)\b)`,
  access: String.raw`\b(?:access|zugriff|zugang|acceso|acces|permissions?|rights|rechte|derechos|droits)\b|权限|權限|権限|권한|\blet .{1,40}\b(?:see|edit|in)\b`,
  send: String.raw`\blet .{1,30}\bknow\b`,
};

const NOUN_AS_VERB = String.raw`(?<=^ ?|[.,;:!?\n…] ?|\b(?:to|please|pls|and|then|you|i|we|just|also|can|could|now|ok) )`;
const ENDING = String.raw`\p{sc=Latin}{0,8}`;

function patternOf(word: string): string {
  if (word.startsWith("=")) return word.slice(1);
  return word.startsWith("~") ? `${NOUN_AS_VERB}${word.slice(1)}${ENDING}` : `${word}${ENDING}`;
}

const patterns = once(
  (): ReadonlyMap<Act, RegExp> =>
    new Map(
      ACTS.map((act) => {
        const lines = spokenActs().filter(({ effects }) => effects.includes(act));
        const words = (unspaced: boolean) =>
          lines.flatMap(({ isUnspaced, inMessages }) => (isUnspaced === unspaced ? inMessages : []));
        const spaced = words(false).map(patternOf).join("|");
        const whole = String.raw`(?<![\p{sc=Latin}\p{N}_'])(?:${spaced})(?![\p{sc=Latin}\p{N}_])`;
        return [act, new RegExp([whole, ...words(true), PHRASES[act] ?? []].flat().join("|"), "u")];
      }),
    ),
);

/** Files, addresses and the like: their names are no verbs. */
const names = lazyRegExp(String.raw`(?<![\w@-])[\w@-]*[/\\@][\w./@-]*|(?<![\w-])[\w-]+\.[a-z]\w{0,7}(?![\w.])`, "g");

export function namedActs(message: string): UserActs {
  const { wanted: asked, refused: forbidden } = splitByRefusal(message);
  const wanted = actsIn(asked);
  const refused = new Set([...actsIn(forbidden)].filter((act) => !wanted.has(act)));
  return { wanted, refused };
}

function actsIn(text: string): ReadonlySet<Act> {
  const read = text.replace(names(), "x");
  return new Set(ACTS.filter((act) => read !== "" && patterns().get(act)?.test(read)));
}
