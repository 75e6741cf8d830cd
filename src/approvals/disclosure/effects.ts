/** What follows from a call, as sentences: whether it can be undone, where data goes, why to look closely. Pure. */

import { verbOf as nameVerbOf } from "../../lib/acts/tool-verb.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { pointerKeys, valueAt } from "../../lib/json/json-value.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import { codeSpan } from "../../lib/text/prose.ts";
import { plainLine } from "../../lib/text/visible-text.ts";
import { verbOf } from "../../policy/infer/verbs.ts";
import { actIn, actStaysDone, onlyCreates } from "../stays-done.ts";
import { fillWords, type Words, wordsOf } from "../words/words.ts";
import type { Consequence, Disclosure, Language, LocalText } from "./disclosed.ts";
import { shownValue } from "./shown-value.ts";
import { policyWords, textIn } from "./template.ts";
import { capitalised, shownTool, withFullStop } from "./title.ts";

type Arguments = Readonly<Record<string, unknown>>;

/**
 * @param args as who reads may see them.
 * @param summary what stands below the title.
 */
export function effectsOf(
  disclosure: Disclosure,
  asks: readonly string[],
  args: Arguments,
  language: Language,
  summary = "",
): readonly Consequence[] {
  const words = wordsOf(language);
  const { effects } = words;
  const { category, listed, hides, suspicious, undoes } = disclosure;
  const tool = codeSpan(shownTool(disclosure.tool));
  const found: (Consequence | undefined)[] = [
    suspicious && asks.includes("arguments_suspicious")
      ? { kind: "suspicious", text: suspicion(suspicious, args, words) }
      : undefined,
    asks.includes("intent_undetected") ? { kind: "suspicious", text: effects.notAskedFor } : undefined,
    ...(asks.includes("argument_untrusted") ? untrustedEffects(disclosure.untrusted ?? [], args, words) : []),
    disclosure.instructions && asks.some((code) => code === "instructions_found" || code === "argument_untrusted")
      ? { kind: "suspicious", text: instructionsText(disclosure.instructions, words) }
      : undefined,
    ...(asks.includes("condition_asks") ? conditionEffects(disclosure.conditions ?? [], words, language) : []),
    hidesAny(args, hides)
      ? {
          kind: "hidden",
          text: fillWords(effects.hidden, { names: hides.map((name) => codeSpan(shownTool(name))).join(", ") }),
        }
      : undefined,
    goesTo(disclosure, language, words),
    // Of a tool that the policy does not list nobody knows what it does: the words below its title say so.
    category === "modification" && listed && !undoes && !isKnownToChange(disclosure, summary, words)
      ? { kind: "changes", text: effects.modifies }
      : undefined,
    undoing(disclosure, args, words),
    asks.includes("first_use") ? { kind: "first_use", text: fillWords(effects.firstUse, { tool }) } : undefined,
  ];
  return lookClosely(
    found.filter((one) => one !== undefined),
    words,
  );
}

/** Once, before the first reason. */
function lookClosely(found: readonly Consequence[], { effects }: Words): readonly Consequence[] {
  const first = found.find(({ kind }) => kind === "suspicious");
  return found.map((one) => {
    if (one.kind !== "suspicious") return one;
    const text = one === first ? fillWords(effects.lookClosely, { words: one.text }) : capitalised(one.text);
    return { ...one, text };
  });
}

/** The approver learns that the policy hides something. */
function hidesAny(args: Arguments, hides: readonly string[]): boolean {
  return hides.length > 0 && canonicalJson(redactArguments(args, hides)) === canonicalJson(args) && holdsRedacted(args);
}

const holdsRedacted = (value: unknown): boolean =>
  value === redacted || (typeof value === "object" && value !== null && Object.values(value).some(holdsRedacted));

function suspicion({ set, path }: NonNullable<Disclosure["suspicious"]>, args: Arguments, words: Words): string {
  const attacks: Readonly<Record<string, string>> = words.attack;
  const known = Object.hasOwn(attacks, set) ? attacks[set] : undefined;
  const shown = shownValue(visibleName(args, path), 200).text;
  return fillWords(words.effects.suspicious, { attack: known ?? plainLine(set, 80), path: codeSpan(shown) });
}

/** The passage is what somebody wrote to persuade: it stands as a quotation, cut, with escapes for what does not show. */
function instructionsText({ tool, passage }: NonNullable<Disclosure["instructions"]>, { effects }: Words): string {
  const source = tool === null || tool === "" ? effects.aTool : codeSpan(shownTool(tool));
  return fillWords(effects.instructions, { tool: source, passage: codeSpan(shownValue(passage, 200).text) });
}

/** Each value with the result that it stands in; where the call names nothing, that. */
function untrustedEffects(
  untrusted: NonNullable<Disclosure["untrusted"]>,
  args: Arguments,
  { effects }: Words,
): readonly Consequence[] {
  if (untrusted.length === 0) return [{ kind: "suspicious", text: effects.namesNothing }];
  return untrusted.map(({ path, tool, inMessages }) => {
    const value = valueAt(args, pointerKeys(path));
    // A redacted value, and a key that is the value, are named by where they stand.
    const isValue = value !== redacted && (typeof value === "string" || typeof value === "number");
    const shown = codeSpan(shownValue(isValue ? value : visibleName(args, path), 200).text);
    const text = tool ? effects.fromResult : tool === "" ? effects.notYourWords : effects[inMessages ?? "madeUp"];
    return { kind: "suspicious", text: fillWords(text, { value: shown, tool: codeSpan(shownTool(tool ?? "")) }) };
  });
}

/** Words of the policy alone: no argument is filled in, so nothing that is redacted shows. */
function conditionEffects(conditions: readonly LocalText[], words: Words, language: Language): readonly Consequence[] {
  const texts = conditions.map((say) => {
    const text = textIn(say, language);
    if (text === undefined) return words.notes.condition.asks;
    return fillWords(words.effects.condition, { words: withFullStop(policyWords(text).trim(), words) });
  });
  return [...new Set(texts)].map((text) => ({ kind: "note", text }));
}

/** `note`, `edits.0.text`: down to the first redacted value, for the names below it are hidden too. */
function visibleName(args: Arguments, path: string): string {
  let at: unknown = args;
  const visible: string[] = [];
  for (const key of pointerKeys(path)) {
    if (at === redacted) break;
    at = valueAt(at, [key]);
    visible.push(key);
  }
  return visible.join(".") || "/";
}

function goesTo(disclosure: Disclosure, language: Language, { effects }: Words): Consequence | undefined {
  const { destination } = disclosure;
  const named = destinationIn(disclosure, language);
  if (named !== undefined) {
    const shown = policyWords(plainLine(named, 200));
    return { kind: "goes_to", text: fillWords(effects.goesTo, { destination: shown }) };
  }
  return destination !== null || sendsData(disclosure) ? { kind: "goes_to", text: effects.leaves } : undefined;
}

/** They operate something: what matters is the deed, and not what is sent for it. */
const operates: ReadonlySet<string> = new Set(
  "turn toggle switch dim brighten lock unlock arm disarm mute unmute play pause".split(" "),
);

/** Of an external tool, unless its own name says that it books, orders, pays or operates something. */
function sendsData({ category, destination, listed, tool }: Disclosure): boolean {
  if (category !== "external") return false;
  const [verb = ""] = actIn(tool);
  const effect = verbOf(verb)?.effect;
  return destination !== null || !listed || (effect !== "commit" && effect !== "pay" && !operates.has(verb));
}

/** The verb of the title says it, or the words below it do; or what is there stays as it is. */
const isKnownToChange = (disclosure: Disclosure, summary: string, { does }: Words): boolean =>
  onlyCreates(disclosure.tool) || summary === does.modification || sayChange.has(nameVerbOf(disclosure) ?? "");

/** "Write `a.txt`?" does not say that the file may be there already. */
const sayChange: ReadonlySet<string> = new Set(
  (
    "activate add append archive assign book cancel close deactivate delete deploy edit install label lock mark merge move open pause pay pin " +
    "play refund remove rename resume run set start stop toggle transfer turnOff turnOn unlock"
  ).split(" "),
);

/** Undefined where the policy names none that a reader of this language understands. */
export const destinationIn = (
  { destination, destinationText }: Pick<Disclosure, "destination" | "destinationText">,
  language: Language,
): string | undefined => textIn(destinationText ?? destination, language);

function undoing(disclosure: Disclosure, args: Arguments, { effects }: Words): Consequence | undefined {
  const { category, reversible, undo, undoes } = disclosure;
  // The person takes something back, and knows it. That what is sent for it stays sent, they may not know.
  if (undoes) return sendsData(disclosure) ? { kind: "final", text: effects.notTakenBack } : undefined;
  if (reversible && undo !== null) return { kind: "undo", text: effects.undoneWith };
  if (category === "read_only") return undefined;
  if (reversible) return { kind: "undo", text: effects.undoable };
  if (!actStaysDone(disclosure, args)) return undefined;
  return { kind: "final", text: sendsData(disclosure) ? effects.notTakenBack : effects.notUndoable };
}
