/**
 * A user's message as the answer to a question for values. Pure. A plain answer only: whoever asks back, refuses, or writes at
 * length wants something else than that a call runs at once.
 */
import { findPhrases } from "../../approvals/answers/find-phrases.ts";
import { readRefusal } from "../../approvals/answers/read-refusal.ts";
import type { Detection } from "../../intent/detection.ts";

/** UTF-16 units. */
const MAX_MESSAGE = 500;

/**
 * The intents that the message asks for by itself; undefined where it is too long, or asks back. Asked of every message that a
 * question may stand before: what takes longer is `holdsNoValue`, for those that one did.
 * @param knows whether the policy has such an intent.
 */
export function readValuesMessage(
  message: string,
  detection: Detection | undefined,
  { selectAt, knows }: { readonly selectAt: number; readonly knows: (intent: string) => boolean },
): readonly string[] | undefined {
  if (message.length > MAX_MESSAGE || /[?？]\s*$/.test(message)) return undefined;
  const asked =
    detection?.intents.filter(({ layer, confidence }) => layer !== "fallback" && confidence >= selectAt) ?? [];
  return asked.map(({ name }) => name).filter(knows);
}

/** "No", "never mind", "ok": words that answer a question, and give no value. What could be a code could be a value. */
export function holdsNoValue(message: string): boolean {
  const phrases = findPhrases(message);
  return phrases?.every(({ kind }) => kind !== "code") === true || readRefusal(message) !== undefined;
}

/** A value as it was written, for the argument of that name. */
export interface Written {
  readonly name: string;
  readonly value: string;
}

/** `topic: verbs, level: N4`; what holds no further name belongs to the value before it. */
export function namedValues(message: string, names: readonly string[]): readonly Written[] {
  const byPlain = new Map(names.map((name) => [plain(name), name]));
  const found: { name: string; value: string }[] = [];
  for (const [, joint = "", part = ""] of message.matchAll(PARTS)) {
    const [, label = "", value = ""] = /^([^:=：＝]{1,100})[:=：＝](.*)$/s.exec(part) ?? [];
    const name = byPlain.get(plain(label));
    const last = found.at(-1);
    if (name !== undefined) found.push({ name, value });
    else if (last) last.value += joint + part;
  }
  return found.map(({ name, value }) => ({ name, value: bare(value) }));
}

const PARTS = /([\n;；,，、]|^)([^\n;；,，、]*)/g;

/** `trains, 5`: what stands between its commas and lines, each as a value. */
export const valuesIn = (message: string): readonly string[] =>
  [...message.matchAll(PARTS)].map(([, , part = ""]) => bare(part)).filter((part) => part !== "");

/** The whole message, as the value of the one argument that is missing. */
export const wholeAnswer = (message: string, name: string): Written => ({ name, value: bare(message) });

/** Without the full stop of a sentence, and quotation marks around all of it. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/(?<=[^\s.])[.。!！]$/u, "")
    .replace(/^(["'“「『])(.*)["'”」』]$/s, "$2")
    .trim();

const plain = (name: string): string => name.replace(/[`*_\-\s]/g, "").toLowerCase();
