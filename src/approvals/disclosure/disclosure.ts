/**
 * What a person must know before a tool is used: what will happen, with which arguments, what changes, where data goes, and whether
 * it can be undone. Made as data when the call is asked about, and told to each reader in their language. Pure.
 * Source: reference/human-centered-tool-calling.md.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { memberSchemas } from "../../lib/json/json-schema.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import type { ToolTraits } from "../../policy/traits.ts";
import type { Approval } from "../approval.ts";
import { fillWords } from "../words/fill-words.ts";
import { wordsOf } from "../words/words-of.ts";
import { changesOf } from "./changes.ts";
import type {
  ChangedLine,
  DisclosedArgument,
  Disclosure,
  DisclosureView,
  Effect,
  EffectKind,
  Language,
  UndoneCall,
  WrittenDisclosure,
} from "./disclosed.ts";
import { effectsOf } from "./effects.ts";
import { shownName, shownValue } from "./shown-value.ts";
import { localText } from "./template.ts";
import { titleOf } from "./title.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface CallToDisclose {
  readonly traits: Pick<
    ToolTraits,
    | "name"
    | "listed"
    | "category"
    | "destination"
    | "reversible"
    | "undo"
    | "description"
    | "disclosure"
    | "learnMore"
    | "preview"
    | "hideFromApprover"
  >;
  /** The schema of the arguments. Those that it names are shown first: a model could make up others that crowd them out. */
  readonly schema?: unknown;
  readonly language: Language;
  /** What looked like an attack: the reason `arguments_suspicious`. */
  readonly suspicious?: { readonly set: string; readonly path: string } | undefined;
  /** The call that it takes back: a person is asked about that one, whatever the one that undoes it is named. */
  readonly undoes?: UndoneCall | undefined;
  /** Consents hold for every session until they are withdrawn (`gates.persistApprovals`). */
  readonly persistsGate: boolean;
}

const MAX_SHOWN = 20;
const MAX_ORDERED = 100;

export function discloseCall({ traits, ...call }: CallToDisclose): Disclosure {
  const { suspicious } = call;
  return {
    language: call.language,
    tool: traits.name,
    category: traits.category,
    listed: traits.listed,
    reversible: traits.reversible,
    undo: traits.undo?.tool ?? null,
    destination: traits.destination || null,
    template: traits.disclosure ?? null,
    description: traits.description ?? null,
    more: traits.learnMore ?? null,
    preview: traits.preview ?? null,
    order: [...memberSchemas(call.schema, call.schema).keys()].slice(0, MAX_ORDERED),
    hides: traits.hideFromApprover,
    suspicious: suspicious ? { set: suspicious.set, path: suspicious.path } : null,
    undoes: call.undoes ?? null,
    persistsGate: call.persistsGate,
  };
}

/** What a person may see of a call: `whole` who is asked, but for what the policy hides from them too; `recorded` all others. */
export type Sight = "whole" | "recorded";

export type DescribedApproval = Pick<Approval, "disclosure" | "asks" | "arguments" | "recorded">;

/** @param language the reader's; absent: that of the conversation. */
export function describeApproval(approval: DescribedApproval, sight: Sight, language?: Language): DisclosureView {
  const { disclosure, asks, recorded } = approval;
  const shown = shownArguments(approval, sight);
  if (isWritten(disclosure)) return describeWritten(disclosure, shown, language);
  return describeCall(disclosure, { asks, shown, recorded }, language);
}

/** A question, its list and its view read the same arguments. */
const read = new WeakMap<DescribedApproval, Arguments>();

/** The arguments are forgotten some time after the call has ended; what is recorded of them stays. */
export function shownArguments(approval: DescribedApproval, sight: Sight): unknown {
  const { disclosure, arguments: args, recorded } = approval;
  if (sight === "recorded" || args === "" || isWritten(disclosure)) return recorded;
  const known = read.get(approval);
  if (known) return known;
  const whole = JSON.parse(args) as Arguments;
  const shown = disclosure.hides.length === 0 ? whole : redactArguments(whole, disclosure.hides);
  read.set(approval, shown);
  return shown;
}

export const isWritten = (disclosure: Disclosure | WrittenDisclosure): disclosure is WrittenDisclosure =>
  "summary" in disclosure;

export interface DescribedCall {
  /** Codes of the reasons that a person is asked for; empty for a call that runs unasked. */
  readonly asks: readonly string[];
  /** As who reads may see them, and as they are recorded: without what the policy redacts. */
  readonly shown: unknown;
  readonly recorded: unknown;
}

export function describeCall(
  disclosure: Disclosure,
  { asks, shown, recorded }: DescribedCall,
  language = disclosure.language,
): DisclosureView {
  const words = wordsOf(language);
  const [args, known] = [argumentsOf(shown), argumentsOf(recorded)];
  const isPrivate = once(
    (name: string) => args !== known && !(Object.hasOwn(known, name) && isSame(args[name], known[name])),
  );
  const ordered = inOrder(args, disclosure.order);
  // Not by its text alone: a model may write what looks redacted.
  const isHidden = (name: string) => args[name] === redacted && (args === known || isNamed(name, disclosure.hides));
  const listed = ordered
    .slice(0, MAX_SHOWN)
    .map((name) => describeArgument(name, args[name], { isHidden: isHidden(name), isPrivate: isPrivate(name) }));
  return {
    language,
    tool: disclosure.tool,
    category: disclosure.category,
    ...titleOf(
      { disclosure, args, names: ordered, isPrivate: (name) => isPrivate(name) || isHidden(name) },
      language,
      words,
    ),
    effects: effectsOf(disclosure, asks, args, language),
    arguments: listed,
    more: ordered.length - listed.length,
    changes: changesOf(disclosure, args, (count) => fillWords(words.moreLines, { count: String(count) })),
    destination: disclosure.destination,
    reversible: disclosure.reversible,
    firstUse: asks.includes("first_use") ? (disclosure.persistsGate ? "lasting" : "session") : null,
    learnMore: localText(disclosure.more, language) ?? null,
  };
}

/** Most are written the same; only where they are not does the order of their members matter. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || canonicalJson(one) === canonicalJson(other);

/** The title asks about the same names as the list. */
function once<T>(read: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const value = known.has(name) ? (known.get(name) as T) : read(name);
    known.set(name, value);
    return value;
  };
}

const argumentsOf = (value: unknown): Arguments => (isObject(value) ? value : {});

/** The arguments with their names as they are, in the order in which they are shown. */
export function orderedArguments(approval: DescribedApproval, sight: Sight): readonly (readonly [string, unknown])[] {
  const { disclosure } = approval;
  const args = argumentsOf(shownArguments(approval, sight));
  return inOrder(args, isWritten(disclosure) ? [] : disclosure.order).map((name) => [name, args[name]]);
}

function inOrder(args: Arguments, order: readonly string[]): readonly string[] {
  const named = new Set(order);
  const [first, others]: [string[], string[]] = [[], []];
  for (const name of Object.keys(args)) (named.has(name) ? first : others).push(name);
  return first.concat(others);
}

/** Whether the policy hides this argument whole, whatever its value is. */
const isNamed = (name: string, hides: readonly string[]): boolean =>
  redactArguments(Object.fromEntries([[name, ""]]), hides)[name] === redacted;

interface Secrecy {
  readonly isHidden: boolean;
  readonly isPrivate: boolean;
}

export function describeArgument(name: string, value: unknown, { isHidden, isPrivate }: Secrecy): DisclosedArgument {
  const shown = shownName(name);
  if (isHidden) {
    return { name: shown.text, value: redacted, escaped: shown.escaped, cut: null, redacted: true, private: false };
  }
  const { text, escaped, cut } = shownValue(value);
  return {
    name: shown.text,
    value: text,
    escaped: escaped || shown.escaped,
    cut,
    redacted: false,
    private: isPrivate,
  };
}

/** Kept before disclosures were data: its texts stay as they were written, and only its values are shown anew. */
function describeWritten(written: WrittenDisclosure, shown: unknown, language = written.language): DisclosureView {
  const args = Object.entries(argumentsOf(shown));
  const effects = written.notes.map((text): Effect => ({ kind: /^⚠/.test(text) ? "suspicious" : "note", text }));
  const kind: EffectKind = written.reversible ? "undo" : "final";
  return {
    language,
    tool: written.tool,
    category: written.category,
    title: written.question,
    summary: written.summary,
    named: [],
    effects: written.undoing === "" ? effects : [...effects, { kind, text: written.undoing }],
    arguments: args
      .slice(0, MAX_SHOWN)
      .map(([name, value]) => describeArgument(name, value, { isHidden: value === redacted, isPrivate: false })),
    more: Math.max(0, args.length - MAX_SHOWN),
    changes: written.changes,
    destination: written.destination,
    reversible: written.reversible,
    firstUse: null,
    learnMore: written.learnMore,
  };
}

/** As plain text of several lines. */
export function disclosureText({ language, title, summary, effects, ...view }: DisclosureView): string {
  const { frame } = wordsOf(language);
  const values = view.arguments.map((one) => `  ${one.name}: ${one.value}${asideText(one, language)}`);
  return [
    title,
    ...(summary === "" ? [] : [summary]),
    ...values,
    ...(view.more > 0 ? [`  … (${fillWords(frame.moreValues, { count: String(view.more) })})`] : []),
    ...view.changes.map(changeText),
    ...effects.map(({ text }) => text),
  ].join("\n");
}

/** What is said beside a value: that it holds escapes, and how much of it is not shown. */
export function asideText({ escaped, cut }: Pick<DisclosedArgument, "escaped" | "cut">, language: Language): string {
  const { frame } = wordsOf(language);
  const said = [
    ...(escaped ? [frame.escaped] : []),
    ...(cut ? [fillWords(frame.cutValue, { count: String(cut.characters), digest: cut.digest })] : []),
  ];
  return said.length === 0 ? "" : ` (${said.join("; ")})`;
}

const signs: Readonly<Record<ChangedLine["kind"], string>> = { same: " ", added: "+", removed: "-" };

const changeText = ({ kind, text }: ChangedLine): string => `  | ${signs[kind]} ${text}`;
