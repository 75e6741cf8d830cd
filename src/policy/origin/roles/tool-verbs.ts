/**
 * Reads a tool's effects from the verbs of its name and, if that has none, of its description's first sentence. Pure.
 * The name of a tool that the policy does not list is untrusted: callers use this to be stricter, never looser.
 */
import { keysByWord } from "../../../lib/acts/read-table.ts";
import { type CallEffect, nameVerb, unspacedVerbs } from "../../../lib/acts/verbs-in-names.ts";
import { isCjkWord, nameWords, singulars } from "./name-words.ts";

export type ToolEffect = CallEffect;

/** Verbs that say nothing without their noun: `create_payment` pays. */
const LIGHT = new Set("create make new place do initiate start issue process submit perform add".split(" "));

/** Nouns whose changes are payments, whatever the verb is: `update_scheduled_transaction`. */
const MONEY = new Set(
  (
    "transaction payment payout fund money salary wire invoice charge purchase ether crypto " +
    "uberweisung ueberweisung zahlung pago transferencia"
  ).split(" "),
);

/** Beside these words stock is shares, and else goods: `update_stock_order`, `update_stock`. */
const TRADES = new Set("trade trading order position share transfer buy sell".split(" "));

/** Nouns that make a light verb grave. */
const NOUN_EFFECTS = keysByWord({
  pay: "order purchase transfer booking bid credit voucher",
  commit: "reservation release deployment post tweet",
  access: "share invite invitation access permission collaborator member guest link",
  send: "message email mail reply comment",
});

export function toolEffects(name: string, description = ""): ReadonlySet<ToolEffect> {
  const byName = effectsOf(nameWords(name));
  if (byName.size > 0) return byName;
  const [sentence = ""] = /^[^.!?。\n]{0,300}/u.exec(description) ?? [];
  return effectsOf(nameWords(sentence).slice(0, 12));
}

/** Names of acts that only look something up: `kubectl rollout status`. */
const LOOKS = new Set("status history info details version help diff logs log state summary preview plan".split(" "));
const LIGHT_EFFECTS: readonly ToolEffect[] = ["read", "change", "create"];

/** Whether an act that a tool offers as a fixed choice looks something up, or makes or changes something that can be changed again. */
export function isHarmlessAct(act: string): boolean {
  const words = nameWords(act);
  if (words.length > 0 && words.every((word) => LOOKS.has(word))) return true;
  const effects = effectsOf(words);
  return effects.size > 0 && [...effects].every((effect) => LIGHT_EFFECTS.includes(effect));
}

/** Verbs that are grave only with some objects: `apply_patch` changes, `close_tab` loses nothing. */
const LIGHTER = new Set(
  (
    "replace overwrite reset close disable deactivate unlink empty apply install activate enable enroll register return exchange manage " +
    "migrate restart shutdown reboot rollback assign follow unfollow join order charge"
  ).split(" "),
);
const FINAL: readonly ToolEffect[] = ["destroy", "pay", "access", "commit"];

/** The effects of a tool that stay, by its name: it deletes, pays, gives access, or makes binding or public. Empty in doubt. */
export function finalActs(name: string): ReadonlySet<ToolEffect> {
  const words = nameWords(name);
  const effects = effectsOf(words.filter((word) => !LIGHTER.has(stemOf(word))));
  const found = FINAL.filter((effect) => effects.has(effect));
  return new Set(mainVerbs(words).some((verb) => stemOf(verb) === "commit") ? [...found, "commit"] : found);
}

/** `browser_click`: acts on a page are also a way to read it. */
export const isOnPage = (name: string): boolean =>
  nameWords(name).some((word) => PAGES.has(word)) && finalActs(name).size === 0;

/** `browser_open`, `navigate_page`: a page is opened before it is read. */
export const opensPage = (name: string): boolean => isOnPage(name) && nameWords(name).some((word) => VISITS.has(word));
const PAGES = new Set("browser page tab url site website web".split(" "));
const VISITS = new Set("open navigate visit goto scroll browse back reload".split(" "));

function effectsOf(words: readonly string[]): ReadonlySet<ToolEffect> {
  const effects = new Set<ToolEffect>();
  for (const word of words)
    if (isCjkWord(word)) for (const { calls } of unspacedVerbs(word)) for (const effect of calls) effects.add(effect);
  const main = mainVerbs(words);
  for (const verb of main) for (const effect of verbEffects(verb)) effects.add(effect);
  if (main.some((verb) => LIGHT.has(verb)))
    for (const word of words)
      for (const form of singulars(word)) {
        const effect = NOUN_EFFECTS.get(form);
        if (effect !== undefined) effects.add(effect);
      }
  const onlyReads = effects.size > 0 && [...effects].every((effect) => effect === "read");
  if (!onlyReads && effects.size > 0 && namesMoney(words)) effects.add("pay");
  return effects;
}

function namesMoney(words: readonly string[]): boolean {
  const forms = words.flatMap(singulars);
  return forms.some((form) => MONEY.has(form)) || (forms.includes("stock") && forms.some((form) => TRADES.has(form)));
}

function mainVerbs(words: readonly string[]): readonly string[] {
  const joined = words.some((word) => ["and", "or", "then", "und", "y"].includes(word));
  const clear = words.filter((word) => verbEffects(word).length > 0 && !isAlsoNoun(word));
  if (joined) return words.filter((word) => verbEffects(word).length > 0);
  const [first] = words;
  const begins = first !== undefined && verbEffects(first).length > 0 ? [first] : [];
  const found = clear.length > 0 ? clear.slice(0, 1) : words.filter((word) => verbEffects(word).length > 0).slice(0, 1);
  // `search_delete` deletes: a noun at the beginning does not hide the verb after it. `list_…` reads.
  return begins.length > 0 && !(clear.length > 0 && isAlsoNoun(begins[0] ?? "")) ? begins : found;
}

/** `sends` is `send`: descriptions write the third person. */
const stemOf = (word: string): string => singulars(word).find((form) => effectsOfVerb(form).length > 0) ?? word;

const effectsOfVerb = (verb: string): readonly ToolEffect[] => nameVerb(verb)?.calls ?? [];

const verbEffects = (word: string): readonly ToolEffect[] => effectsOfVerb(stemOf(word));

const isAlsoNoun = (word: string): boolean => ["both", "calls"].includes(nameVerb(stemOf(word))?.nounIn ?? "neither");
