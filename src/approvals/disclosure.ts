/**
 * What a person is shown before a tool is used: what will happen, with which arguments, what changes, where data goes, and
 * whether it can be undone. Pure. Source: reference/human-centered-tool-calling.md.
 *
 * Only the policy's words are used, never the client's description of its tool: whoever wrote the tool would otherwise
 * write the question too. A tool that the policy does not describe is told by what its category does. Arguments come from
 * the model, so each stays on one line and cannot imitate what stands around it.
 */
import { redactArguments, redacted } from "../lib/redact.ts";
import type { ToolTraits } from "../policy/traits.ts";
import { changesOf } from "./changes.ts";
import type { DisclosedArgument, Disclosure, Language } from "./disclosed.ts";
import { fillWords } from "./fill-words.ts";
import { toldDestination } from "./nature.ts";
import { plainLine } from "./plain-line.ts";
import { memberSchemas } from "./schema-at.ts";
import { shownValue, valueInSentence } from "./shown-value.ts";
import { fillTemplate, localText, splitQuestion } from "./template.ts";
import type { Words } from "./words/words.ts";
import { wordsOf } from "./words/words-of.ts";

export interface UndoneCall {
  readonly tool: string;
  /** Redacted; none where they are not kept. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface CallToDisclose {
  readonly traits: Pick<
    ToolTraits,
    | "name"
    | "category"
    | "description"
    | "destination"
    | "sensitive"
    | "reversible"
    | "undo"
    | "redact"
    | "disclosure"
    | "learnMore"
    | "preview"
  >;
  /** Redacted, and otherwise whole. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The schema of the arguments. Those that it names are told first: a model could make up others that crowd them out. */
  readonly schema?: unknown;
  readonly language: Language;
  /** Codes of the reasons that a person is asked for; empty for a call that runs unasked (`unaskedLine`). */
  readonly asks: readonly string[];
  /** What looked like an attack: the reason `arguments_suspicious`. */
  readonly suspicious?: { readonly set: string; readonly path: string } | undefined;
  /** The call that it takes back: a person is asked about that one, whatever the one that undoes it is named. */
  readonly undoes?: UndoneCall | undefined;
  /** Consents hold for every session until they are withdrawn (`gates.persistApprovals`). */
  readonly persistsGate: boolean;
}

const MAX_SHOWN = 20;
export const MAX_NAME = 80;
const MAX_SENTENCE = 600;

export function discloseCall(call: CallToDisclose): Disclosure {
  const { traits, language } = call;
  const words = wordsOf(language);
  const names = Object.keys(call.arguments);
  const changes = changesOf(traits, call.arguments, (count) => fillWords(words.moreLines, { count: String(count) }));
  const told = tellCall(call, words);
  return {
    language,
    tool: traits.name,
    category: traits.category,
    summary: told.summary,
    notes: notesOf(call, words),
    arguments: shownArguments(firstNames(names, call.schema), call.arguments, traits.redact),
    more: Math.max(0, names.length - MAX_SHOWN),
    changes,
    destination: traits.destination === undefined ? null : toldDestination(traits.destination),
    reversible: traits.reversible,
    undoing: undoingOf(traits, words),
    question: told.question,
    learnMore: localText(traits.learnMore, language) ?? null,
  };
}

/** Where both are asked, the first use: whoever enables the tool runs the call. */
function tellCall(call: CallToDisclose, words: Words): { readonly summary: string; readonly question: string } {
  const { traits, language, asks, persistsGate } = call;
  const tool = quotable(traits.name);
  const template = localText(traits.disclosure, language);
  const { statement, question } = template === undefined ? NO_TEMPLATE : splitQuestion(template);
  const own = fillTemplate(statement, call.arguments) || undefined;
  const usual = question ?? (traits.category === "modification" ? words.apply : words.proceed);
  if (asks.includes("first_use")) {
    const first = persistsGate ? words.firstTime : words.firstTimeHere;
    const enable = persistsGate ? words.enableFromNowOn : words.enableHere;
    return {
      summary: plainLine(fillWords(first, { tool, what: own ?? whatOf(traits, words) }), MAX_SENTENCE * 2),
      question: fillWords(enable, { tool }),
    };
  }
  if (own !== undefined) return { summary: own, question: usual };
  if (asks.length === 0) return { summary: callLine(tool, call.arguments), question: usual };
  return { summary: fillWords(words.wants, { tool, what: whatOf(traits, words) }), question: usual };
}

const NO_TEMPLATE = { statement: "", question: undefined };

/** A tool's name: the words put it between backticks, with which its own would make a fence. */
const quotable = (name: string): string => plainLine(name, MAX_NAME).replaceAll("`", "'");

/** `search_notes: query "hermeneutical circle"` */
function callLine(tool: string, args: Readonly<Record<string, unknown>>): string {
  const told = firstValues(args);
  return plainLine(told === "" ? tool : `${tool}: ${told}`, MAX_SENTENCE);
}

/** `title "Gadamer", private true` */
function firstValues(args: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(args).slice(0, 3);
  const told = values.map(([name, value]) => {
    const text = valueInSentence(value);
    return `${plainLine(name, MAX_NAME)} ${typeof value === "string" ? `"${text}"` : text}`;
  });
  return told.join(", ");
}

function undoneNote({ tool, arguments: args }: UndoneCall, words: Words): string {
  const told = firstValues(args);
  const { open, close } = words.brackets;
  const values = told === "" ? "" : `${open}${told}${close}`;
  return plainLine(fillWords(words.takesBack, { tool: quotable(tool), values }), MAX_SENTENCE * 2);
}

function whatOf({ description, category }: CallToDisclose["traits"], words: Words): string {
  if (description === undefined || description.trim() === "") return words.does[category];
  const line = plainLine(description, MAX_SENTENCE);
  const end = /[.!?。！？…]$/.test(line) ? "" : /[\0-\x7f]$/.test(line) ? "." : words.sentence.end;
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${end}`;
}

function notesOf(call: CallToDisclose, words: Words): string[] {
  const { traits, language, asks, suspicious, arguments: args, undoes } = call;
  const notes: string[] = undoes ? [undoneNote(undoes, words)] : [];
  if (traits.destination)
    notes.push(fillWords(words.sentTo, { destination: destinationIn(language, traits.destination) }));
  else if (traits.category === "external") notes.push(words.leaves);
  if (traits.category === "modification") notes.push(words.modifies);
  if (traits.sensitive) notes.push(words.sensitive);
  if (asks.includes("arguments_suspicious") && suspicious) {
    const known = Object.hasOwn(words.attack, suspicious.set) ? words.attack[suspicious.set] : undefined;
    const attack = known ?? plainLine(suspicious.set, MAX_NAME);
    const path = plainLine(visiblePath(args, suspicious.path), 200).replaceAll("`", "'");
    notes.push(fillWords(words.suspicious, { attack, path: path === "" ? "/" : path }));
  }
  return notes;
}

/** Policies name it in English: `the GNORM API` has no article in a sentence of another language. */
const destinationIn = (language: Language, destination: string): string =>
  plainLine(language === "en" ? destination : destination.replace(/^the\s+/i, ""), 200);

/** Of a JSON pointer what lies above the first value that is redacted: names below it are not told either. */
function visiblePath(args: Readonly<Record<string, unknown>>, path: string): string {
  let at: unknown = args;
  let told = "";
  for (const key of path.split("/").slice(1)) {
    if (at === redacted) break;
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    at =
      typeof at === "object" && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined;
    told += `/${key}`;
  }
  return told;
}

/** Those that the schema names stand first. There may be thousands, of which few are shown. */
function firstNames(names: readonly string[], schema: unknown): readonly string[] {
  const known = memberSchemas(schema, schema);
  const [named, others]: [string[], string[]] = [[], []];
  for (const name of names) {
    const list = known.has(name) ? named : others;
    if (list.length < MAX_SHOWN) list.push(name);
  }
  return [...named, ...others].slice(0, MAX_SHOWN);
}

function shownArguments(
  names: readonly string[],
  args: Readonly<Record<string, unknown>>,
  redact: readonly string[],
): DisclosedArgument[] {
  return names.map((name) => ({
    name: plainLine(name, MAX_NAME),
    value: shownValue(args[name]),
    // Not by its text alone: a model may write what looks redacted.
    redacted: args[name] === redacted && isNamed(name, redact),
  }));
}

/** Whether the policy redacts this argument whole, whatever its value is. */
const isNamed = (name: string, redact: readonly string[]): boolean =>
  redactArguments(Object.fromEntries([[name, ""]]), redact)[name] === redacted;

function undoingOf({ category, reversible, undo }: CallToDisclose["traits"], words: Words): string {
  if (reversible && undo) return fillWords(words.undoneWith, { tool: quotable(undo.tool) });
  if (category === "read_only") return "";
  if (reversible) return words.undoable;
  return category === "external" ? words.notTakenBack : words.notUndoable;
}
