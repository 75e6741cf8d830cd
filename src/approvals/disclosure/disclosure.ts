/**
 * What a person must know before a tool is used: what will happen, with which arguments, what changes, where data goes, and whether
 * it can be undone. Made as data with the question, and described to each reader in their language. Pure.
 * Source: reference/human-centered-tool-calling.md.
 */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { followReference, memberSchemas } from "../../lib/json/json-schema.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import type { UntrustedArgument } from "../../policy/reasons.ts";
import type { ToolTraits } from "../../policy/traits.ts";
import type { Approval } from "../approval.ts";
import { fillWords, moreLinesText, wordsOf } from "../words/words.ts";
import { authorityFirst } from "./authority-first.ts";
import { changesOf } from "./changes.ts";
import type {
  ChangedLine,
  Consequence,
  DisclosedArgument,
  Disclosure,
  DisclosureView,
  Language,
  LocalText,
  UndoneCall,
  WrittenDisclosure,
} from "./disclosed.ts";
import { destinationIn, effectsOf } from "./effects.ts";
import { membersIn, membersOf, wrapperOf } from "./members.ts";
import { shownName, shownValue } from "./shown-value.ts";
import { localText } from "./template.ts";
import { titleOf } from "./title.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface CallToDisclose {
  readonly traits: ToolTraits;
  /** The schema of the arguments. Those that it names are shown first: a model could make up others that crowd them out. */
  readonly schema?: unknown;
  readonly language: Language;
  /** What looked like an attack: the reason `arguments_suspicious`. */
  readonly suspicious?: { readonly set: string; readonly path: string } | undefined;
  /** The arguments of the reason `argument_untrusted`. */
  readonly untrusted?: readonly UntrustedArgument[] | undefined;
  /** An instruction to the model in a result of the task (`instructions_found`), or in one that holds an untrusted value. */
  readonly instructions?: { readonly tool: string | null; readonly passage: string } | undefined;
  /** The words of the reason `condition_asks`. */
  readonly conditions?: readonly LocalText[] | undefined;
  /** The call that it takes back: a person is asked about that one, whatever the one that undoes it is named. */
  readonly undoes?: UndoneCall | undefined;
  /** Consents hold for every session until they are withdrawn (`gates.persistApprovals`). */
  readonly persistsGate: boolean;
}

const MAX_SHOWN = 20;
const MAX_ORDERED = 100;

export function discloseCall({
  traits,
  schema,
  suspicious,
  untrusted,
  instructions,
  conditions,
  undoes,
  ...call
}: CallToDisclose): Disclosure {
  return {
    ...call,
    tool: traits.name,
    category: traits.category,
    listed: traits.listed,
    reversible: traits.reversible,
    undo: traits.undo?.tool ?? null,
    destination: traits.destination || null,
    ...(typeof traits.destinationText === "object" ? { destinationText: traits.destinationText } : {}),
    template: traits.disclosure ?? null,
    description: traits.description ?? null,
    more: traits.learnMore ?? null,
    preview: traits.preview ?? null,
    order: namesIn(schema).slice(0, MAX_ORDERED),
    hides: traits.hideFromApprover,
    suspicious: suspicious ? { set: suspicious.set, path: suspicious.path } : null,
    ...(untrusted
      ? {
          untrusted: untrusted.slice(0, MAX_SHOWN).map(({ path, from, inMessages }) => ({
            path,
            tool: from?.tool ?? null,
            ...(inMessages ? { inMessages } : {}),
          })),
        }
      : {}),
    ...(instructions ? { instructions: { tool: instructions.tool, passage: instructions.passage } } : {}),
    ...(conditions ? { conditions } : {}),
    undoes: undoes ?? null,
  };
}

/** Those of a schema's one object too, for its members may be shown. */
function namesIn(schema: unknown): readonly string[] {
  const members = memberSchemas(schema, schema);
  const [only] = members.size === 1 ? members.values() : [];
  return [...members.keys(), ...memberSchemas(schema, followReference(schema, only)).keys()];
}

/** Who reads: `whole`, the approver, but for what the policy hides from them too; `recorded`, all others. */
export type Audience = "whole" | "recorded";

type DescribedApproval = Pick<Approval, "disclosure" | "asks" | "arguments" | "recorded">;

/** @param language the reader's; absent: that of the conversation. */
export function describeApproval(approval: DescribedApproval, audience: Audience, language?: Language): DisclosureView {
  const { disclosure, asks, recorded } = approval;
  const shown = shownArguments(approval, audience);
  if (isWritten(disclosure)) return describeWritten(disclosure, shown, language);
  return describeCall(disclosure, { asks, shown, recorded }, language);
}

/** What stands in an object of its own is shown as if it stood at the top. */
export function shownMembers(approval: DescribedApproval, audience: Audience): Arguments {
  const { disclosure } = approval;
  const shown = shownArguments(approval, audience);
  return isWritten(disclosure) ? argumentsOf(shown) : membersOf(disclosure.tool, shown);
}

/** The arguments are deleted some time after the call has ended; what is recorded of them stays. */
export function shownArguments(approval: DescribedApproval, audience: Audience): unknown {
  const { disclosure, arguments: args, recorded } = approval;
  if (audience === "recorded" || args === "" || isWritten(disclosure)) return recorded;
  return redactArguments(JSON.parse(args) as Arguments, disclosure.hides);
}

export const isWritten = (disclosure: Disclosure | WrittenDisclosure): disclosure is WrittenDisclosure =>
  "summary" in disclosure;

interface DescribedCall {
  /** Codes of the reasons for the question; empty for a call that runs unasked. */
  readonly asks: readonly string[];
  /** As the reader may see them, and as they are recorded: without what the policy redacts. */
  readonly shown: unknown;
  readonly recorded: unknown;
}

export function describeCall(
  disclosure: Disclosure,
  { asks, shown, recorded }: DescribedCall,
  language = disclosure.language,
): DisclosureView {
  const words = wordsOf(language);
  const wrapper = wrapperOf(disclosure.tool, shown);
  const [args, known] = [membersIn(shown, wrapper), membersIn(recorded, wrapper)];
  const isPrivate = (name: string) =>
    shown !== recorded && !(Object.hasOwn(known, name) && isSame(args[name], known[name]));
  // Not by its text alone: a model may write what looks redacted.
  const isHidden = (name: string) =>
    args[name] === redacted && (shown === recorded || isNamed(name, wrapper, disclosure.hides));
  const { names, leading } = authorityFirst(disclosure.tool, inOrder(args, disclosure));
  const listed = names
    .slice(0, Math.max(MAX_SHOWN, Math.min(leading, MAX_ORDERED)))
    .map((name) => describeArgument(name, args[name], isHidden(name), isPrivate(name)));
  const isSecret = (name: string) => isPrivate(name) || isHidden(name);
  const given = argumentsOf(shown);
  const titled = titleOf({ disclosure, args, given, names, isPrivate: isSecret }, language, words);
  return {
    language,
    tool: disclosure.tool,
    category: disclosure.category,
    ...titled,
    effects: effectsOf(disclosure, asks, given, language, titled.summary),
    arguments: listed,
    wrapper:
      wrapper === undefined
        ? null
        : describeArgument(wrapper, given[wrapper], false, shown !== recorded && !isSame(args, known)),
    more: names.length - listed.length,
    changes: changesOf(disclosure, disclosure.preview ? given : args, (count) => moreLinesText(count, words)),
    destination: destinationIn(disclosure, language) ?? disclosure.destination,
    reversible: disclosure.reversible,
    firstUse: asks.includes("first_use") ? (disclosure.persistsGate ? "lasting" : "session") : null,
    learnMore: localText(disclosure.more, language) ?? null,
  };
}

/** Most are written the same; only where they are not does the order of their members matter. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || canonicalJson(one) === canonicalJson(other);

const argumentsOf = (value: unknown): Arguments => (isObject(value) ? value : {});

/** The arguments with their names as they are, in the order in which they are shown. */
export function orderedArguments(
  approval: DescribedApproval,
  audience: Audience,
): readonly (readonly [string, unknown])[] {
  const { disclosure } = approval;
  const args = shownMembers(approval, audience);
  const ordered = isWritten(disclosure)
    ? Object.keys(args)
    : authorityFirst(disclosure.tool, inOrder(args, disclosure)).names;
  return ordered.map((name) => [name, args[name]]);
}

/** In a call that only reads, a value that is not given says nothing; elsewhere it may remove what is there. */
function inOrder(args: Arguments, { category, order }: Pick<Disclosure, "category" | "order">): readonly string[] {
  const first = new Set(order);
  const given = Object.keys(args).filter((name) => category !== "read_only" || !isUnset(args[name]));
  const { named = [], others = [] } = Object.groupBy(given, (name) => (first.has(name) ? "named" : "others"));
  return [...named, ...others];
}

const isUnset = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

/** Whether the policy hides this argument whole, whatever its value is. */
function isNamed(name: string, wrapper: string | undefined, hides: readonly string[]): boolean {
  const args = Object.fromEntries([[name, ""]]);
  const given = wrapper === undefined ? args : Object.fromEntries([[wrapper, args]]);
  return membersIn(redactArguments(given, hides), wrapper)[name] === redacted;
}

export function describeArgument(
  name: string,
  value: unknown,
  isHidden: boolean,
  isPrivate: boolean,
): DisclosedArgument {
  const shown = shownName(name);
  if (isHidden)
    return { name: shown.text, value: redacted, escaped: shown.escaped, cut: null, redacted: true, private: false };
  const { text, escaped, cut } = shownValue(value);
  const isEscaped = escaped || shown.escaped;
  return { name: shown.text, value: text, escaped: isEscaped, cut, redacted: false, private: isPrivate };
}

/** Stored before disclosures were data: its texts stay as they were written, and only its values are shown anew. */
function describeWritten(written: WrittenDisclosure, shown: unknown, language = written.language): DisclosureView {
  const { tool, category, summary, changes, destination, reversible, learnMore, undoing } = written;
  const args = Object.entries(argumentsOf(shown));
  const effects = written.notes.map((text): Consequence => ({ kind: /^⚠/.test(text) ? "suspicious" : "note", text }));
  if (undoing !== "") effects.push({ kind: reversible ? "undo" : "final", text: undoing });
  return {
    language,
    tool,
    category,
    summary,
    effects,
    changes,
    destination,
    reversible,
    learnMore,
    title: written.question,
    named: [],
    wrapper: null,
    arguments: args
      .slice(0, MAX_SHOWN)
      .map(([name, value]) => describeArgument(name, value, value === redacted, false)),
    more: Math.max(0, args.length - MAX_SHOWN),
    firstUse: null,
  };
}

/** As plain text of several lines. */
export function disclosureText({ language, title, summary, effects, ...view }: DisclosureView): string {
  const { frame } = wordsOf(language);
  return [
    title,
    ...(summary === "" ? [] : [summary]),
    ...view.arguments.map((one) => `  ${one.name}: ${one.value}${asideText(one, language)}`),
    ...(view.more > 0 ? [`  … (${fillWords(frame.moreValues, { count: String(view.more) })})`] : []),
    ...view.changes.map((line) => `  | ${signedLine(line)}`),
    ...effects.map(({ text }) => text),
  ].join("\n");
}

/** What stands beside a value: that it holds escapes, and how much of it is not shown. */
export function asideText({ escaped, cut }: Pick<DisclosedArgument, "escaped" | "cut">, language: Language): string {
  const { frame } = wordsOf(language);
  const notes = [
    ...(escaped ? [frame.escaped] : []),
    ...(cut ? [fillWords(frame.cutValue, { count: String(cut.characters), digest: cut.digest })] : []),
  ];
  return notes.length === 0 ? "" : ` (${notes.join("; ")})`;
}

const signs: Readonly<Record<ChangedLine["kind"], string>> = { same: " ", added: "+", removed: "-" };

export const signedLine = ({ kind, text }: ChangedLine): string => `${signs[kind]} ${text}`;
