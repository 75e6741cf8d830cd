/** Compiles a policy's entities to functions that find their values. Pure. */
import { type Matcher, RE2JS } from "re2js";
import type { WorkBudget } from "../../lib/work-budget.ts";
import { compileAdmitted, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import {
  type BuiltInEntity,
  builtInEntities,
  type EntityPattern,
  type EntitySettings,
  type NormaliseStep,
  patternsOf,
} from "../../policy/document/entity-parts.ts";
import { passagesOf } from "../lexical/patterns.ts";
import { ALWAYS_REDACTED } from "./find-built-in.ts";
import { readDate } from "./find-dates.ts";
import { readNumber } from "./find-quantities.ts";
import { compileWords, findWords, readWord } from "./find-words.ts";
import type { Span } from "./spans.ts";

/** Throws `WorkSpent`. */
type FindValues = (text: string, work: WorkBudget) => readonly Span[];

export interface CompiledEntity {
  readonly name: string;
  readonly redact: boolean;
  /** One for the synonyms, one for each pattern: finds of an earlier one come before those of a later one. */
  readonly finders: readonly FindValues[];
}

export interface CompiledEntities {
  /** In the document's order. */
  readonly own: readonly CompiledEntity[];
  /** By entity, the intents that name it. */
  readonly wantedBy: ReadonlyMap<string, ReadonlySet<string>>;
  /** Without those whose name the policy gives to its own. */
  readonly builtIn: ReadonlySet<BuiltInEntity>;
}

export function compileEntities({ entities, intents }: CompiledPolicy): CompiledEntities {
  const wantedBy = new Map<string, Set<string>>();
  for (const intent of intents.values()) {
    for (const name of intent.entities) wantedBy.set(name, (wantedBy.get(name) ?? new Set()).add(intent.name));
  }
  const own = Object.entries(entities).map(([name, settings]): CompiledEntity => {
    const patterns = patternsOf(settings).map((pattern) => patternFinder(pattern, settings));
    return {
      name,
      // A policy's own `email` is private as the built-in one is.
      redact: settings.redact || ALWAYS_REDACTED.has(name),
      finders: settings.synonyms ? [synonymFinder(settings.synonyms, settings), ...patterns] : patterns,
    };
  });
  return { own, wantedBy, builtIn: new Set(builtInEntities.filter((name) => !Object.hasOwn(entities, name))) };
}

/** In the order in which the policy lists the values, as the reference document looks its topics up. */
function synonymFinder(synonyms: Readonly<Record<string, readonly string[]>>, settings: EntitySettings): FindValues {
  const values = Object.keys(synonyms).map((value) => readTyped(value, settings));
  const list = compileWords(Object.values(synonyms));
  return (text) =>
    findWords(list, text)
      .sort((a, b) => a.meaning - b.meaning || a.at - b.at)
      .flatMap(({ meaning, at, end }) => {
        const value = values[meaning];
        return value === undefined ? [] : [{ value, at, end }];
      });
}

/** Searches of one text: each may read all of it, so more of them would not be linear. */
const MAX_SEARCHES = 8;
/** UTF-16 units. A longer text is a passage, not a value. */
const MAX_VALUE = 500;

/** Throws on a pattern that the document's check would refuse. */
function patternFinder({ match, value: template }: EntityPattern, settings: EntitySettings): FindValues {
  const regex = compileAdmitted(RE2JS.translateRegExp(match), { ignoreCase: true });
  const read = template === undefined ? groupReader(regex) : templateReader(template);
  const steps = settings.normalise.map(compileStep);
  const readValue = (written: string) => {
    const text = steps.reduce((value, step) => step(value), written);
    return text === "" || text.length > MAX_VALUE ? undefined : readTyped(text, settings);
  };
  return (text, work) => {
    // Some ten times faster than a search that returns places, and the answer is mostly no.
    if (!regex.test(text, work)) return [];
    // A search takes time by the length of the passage: sentences together, up to some 500 characters.
    const passages = passagesOf(text);
    // A longer sentence is cut anywhere: a value that touches the cut may be half of one.
    const cuts = new Set(passages.map(({ end }) => end).filter((end) => end < text.length && !endsSentence(text, end)));
    return passages
      .flatMap(({ start, end }) => search(regex, read, text.slice(start, end), start, work))
      .filter(({ at, end }) => !cuts.has(at) && !cuts.has(end))
      .slice(0, MAX_SEARCHES)
      .flatMap(({ written, at, end }) => {
        const value = readValue(written);
        return value === undefined ? [] : [{ value, at, end }];
      });
  };
}

interface WrittenValue {
  readonly written: string;
  readonly at: number;
  readonly end: number;
}
type ReadWrittenValue = (matcher: Matcher) => WrittenValue | undefined;

function search(
  regex: LinearPattern,
  read: ReadWrittenValue,
  text: string,
  offset: number,
  work: WorkBudget,
): WrittenValue[] {
  if (!regex.test(text, work)) return [];
  const found: WrittenValue[] = [];
  let searches = 0;
  for (const matcher of regex.matches(text, work)) {
    const one = read(matcher);
    if (one && one.written !== "") found.push({ ...one, at: one.at + offset, end: one.end + offset });
    searches += 1;
    if (searches === MAX_SEARCHES) break;
  }
  return found;
}

const endsSentence = (text: string, end: number): boolean => /[.!?\n。！？]/.test(text.charAt(end - 1));

/** The group `value`; without one the last group that took part, else the whole match. */
function groupReader({ groupCount, namedGroups }: LinearPattern): ReadWrittenValue {
  const named = Object.hasOwn(namedGroups, "value") ? namedGroups.value : undefined;
  const groups = named === undefined ? [...Array(groupCount + 1).keys()].reverse() : [named];
  return (matcher) => {
    const group = groups.find((one) => matcher.end(one) > matcher.start(one));
    if (group === undefined) return undefined;
    return { written: matcher.group(group) ?? "", at: matcher.start(group), end: matcher.end(group) };
  };
}

const templateReader =
  (template: string): ReadWrittenValue =>
  (matcher) => ({
    written: template.replace(/\$(\d)/g, (_, group: string) => matcher.group(Number(group)) ?? ""),
    at: matcher.start(),
    end: matcher.end(),
  });

/**
 * A number out of range is dropped, not moved to the nearest bound: 500 flashcards are not what the user wanted if 20 are
 * made, and a default or a question can still fill the argument.
 */
function readTyped(
  text: string,
  { type, min = -Infinity, max = Infinity }: EntitySettings,
): string | number | undefined {
  if (type === "string") return text;
  if (type === "date") return readDate(text);
  const number = readNumber(text);
  if (number === undefined || number < min || number > max) return undefined;
  return type === "number" || Number.isSafeInteger(number) ? number : undefined;
}

function compileStep(step: NormaliseStep): (text: string) => string {
  switch (step) {
    case "trim":
      return (text) => text.trim();
    case "spaces":
      return (text) => text.replace(/\s+/g, " ");
    case "lower":
      return (text) => text.toLowerCase();
    case "upper":
      return (text) => text.toUpperCase();
  }
  const meanings = Object.keys(step.words);
  const list = compileWords(Object.values(step.words));
  return (text) => meanings[readWord(list, text) ?? -1] ?? text;
}
