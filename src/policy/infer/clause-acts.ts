/**
 * Finds acts that a description expresses in other forms than a plain verb: "old ones are purged", "paying it where it is due", "followed by
 * removal". Pure. Only main clauses count: "files that are shared" is no act.
 */
import { once } from "../../lib/once.ts";
import type { InferredEffect } from "./effects.ts";
import { singular } from "./name-words.ts";
import { DATA } from "./nouns.ts";
import { type FoundVerb, isDestruction, participleOf } from "./verbs.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words after which a verb is no act of the tool. */
const negations = once(() =>
  set(
    "not never no without cannot don't doesn't won't isn't n't nor neither before unless instead if whether when once until after avoid kein nicht ohne sin no",
  ),
);

/** A negation a few words before, in the same clause. */
export function isNegated(words: readonly string[], at: number): boolean {
  const clause = words.slice(Math.max(0, at - 6), at);
  const from = clause.findLastIndex((word) => word === "but" || word === "(" || word === "," || word === "then");
  return clause.slice(from + 1).some((word) => negations().has(word) || word.endsWith("n't"));
}

/** "The second one is deleted", "it is found and booked": what happens, but not "messages that are sent" or "is not deleted". */
export function passiveEffect(words: readonly string[], at: number): InferredEffect | undefined {
  const found = participleOf(words[at] ?? "");
  if (!found) return undefined;
  const be = auxiliaryOf(words, at);
  if (be < 0 || isPrevented(words, be, at)) return undefined;
  return isState(found.verb, subjectOf(words, be), words.slice(at + 1, at + 4)) ? undefined : found.effect;
}

/** The index of the form of "be" or "get" that belongs to a participle, or -1. */
function auxiliaryOf(words: readonly string[], at: number): number {
  let before = at - 1;
  for (; before >= 0; before -= 1) {
    const word = words[before] ?? "";
    const joins = (word === "and" || word === "or" || word === ",") && isParticiple(words[before - 1] ?? "");
    if (!joins && !ADVERBS.has(word) && !/.ly$/.test(word) && !(joinsAt(words, before + 1) && isParticiple(word)))
      break;
  }
  const word = words[before] ?? "";
  if (BE.has(word)) return before;
  // "A seat gets reserved", but not "Get reserved seats".
  const isPassive = GET.has(word) && before > 0 && !STARTS.has(words[before - 1] ?? "") && isEnd(words[at + 1]);
  return isPassive ? before : -1;
}
const BE = set("is are be");
const GET = set("get gets");
/** After these, "get" is an act of the tool. */
const STARTS = set("to and or can will tool function api this that which you , then also");
const ADVERBS = set("then also first afterwards now at once subsequently thereby always already");
const isParticiple = (word: string): boolean =>
  /..ed$/.test(word) || READ.has(word) || participleOf(word) !== undefined;
const READ = set("read found seen shown got chosen told taken");
const joinsAt = (words: readonly string[], at: number): boolean =>
  words[at] === "and" || words[at] === "or" || words[at] === ",";
const isEnd = (next: string | undefined): boolean => next === undefined || ENDS.has(next) || /.ly$/.test(next);
const ENDS = set("to from in into on onto of for with by via as at and or , : ( ) too at once when if");

/** The words of the clause before its form of "be". */
function subjectOf(words: readonly string[], be: number): readonly string[] {
  const from = words.slice(0, be).findLastIndex((word) => CLAUSES.has(word));
  return words.slice(from + 1, be);
}
const CLAUSES = set(", : ( ) but is are and then");

/** "If it is locked", "files that are shared", "nothing is sent", "is not deleted". */
function isPrevented(words: readonly string[], be: number, at: number): boolean {
  const isNot = (word: string | undefined) => word !== undefined && (NOT.has(word) || word.endsWith("n't"));
  if (
    isNot(words[be - 1]) ||
    (/.ly$/.test(words[be - 1] ?? "") && isNot(words[be - 2])) ||
    words.slice(be + 1, at).some(isNot)
  )
    return true;
  if (words[be - 1] === "to" && words.slice(0, be).some((word) => REQUIRES.has(word))) return true;
  const from = words.slice(0, be).findLastIndex((word) => [",", ":", "(", ")", "but", "is", "are"].includes(word));
  // "A slot, which is booked"; "who is not known is invited".
  const isOwnClause = words[from] === "," && (words[from + 1] === "which" || words[from + 1] === "who");
  if (isOwnClause) return false;
  return (
    words.slice(from + 1, be).some((word, index) => SUBORDINATES.has(word) && from + 1 + index > 0) ||
    ALWAYS_SUBORDINATES.has(words[from + 1] ?? "")
  );
}
const NOT = set("not never cannot");
/** "Requires the agent to be installed." */
const REQUIRES = set("requires require required needs need expects expect assumes must");
const SUBORDINATES = set(
  "that which who whom whose where when whenever if whether once until unless before because since while how what no nothing nobody none neither without",
);
const ALWAYS_SUBORDINATES = set(
  "if when whenever whether once until unless before because since while no nothing nobody none neither",
);

/** "Are ordered by date", "is set to 10", "are stored in the cloud", "results are merged": states, not acts. */
function isState(verb: string, subject: readonly string[], next: readonly string[]): boolean {
  const [first = ""] = next;
  if (STATES.has(verb)) return !(verb === "give" && first === "to");
  if (states().get(verb)?.has(first)) return true;
  return RESHAPED.has(verb) && subject.map(singular).some((noun) => DATA.has(noun) || noun === "response");
}
const STATES = set(
  "format store record give call apply allow permit expose link bind control employ handle process generate compose log authenticate select build",
);
const states = once((): ReadonlyMap<string, ReadonlySet<string>> => {
  const often = set(
    "daily hourly weekly monthly regularly continuously frequently periodically automatically every in by at",
  );
  return new Map([
    ["order", set("by from in chronologically alphabetically newest most oldest with descending ascending so")],
    ["set", set("to by in as")],
    ["update", often],
    ["refresh", often],
    ["leave", set("out empty blank unchanged untouched as")],
    ["write", set("in as by")],
    ["report", set("in as")],
    ["deliver", set("as in")],
    ["make", set("up of from by")],
    ["run", set("by on in")],
  ]);
});
/** Nouns for what a tool returns. */
const RESHAPED = set(
  "merge format order reorder append add insert attach replace label tag mark set correct complete scale resize crop save write update convert",
);

/** "Followed by removal", "with subsequent deletion". */
export const isDestroyedAt = (words: readonly string[], at: number): boolean =>
  (words[at]?.length ?? 0) > 6 &&
  isEnd(words[at + 1]) &&
  [words[at - 1], words[at - 2]].some((word) => word === "with" || word === "by") &&
  isDestruction(words[at] ?? "");

/** "Paying it where it is due", "while marking them", "forwarding each one": a further act of the tool, unlike "useful for updating". */
export function isActingAt(
  words: readonly string[],
  at: number,
  { verb, effect }: FoundVerb,
  isObject: boolean,
): boolean {
  const before = words[at - 1] ?? "";
  if (effect === "read") return false;
  if (before === "by") return true;
  if (GIVES_WAY.has(verb) || isAdvice(words, at)) return false;
  const next = words[at + 1];
  if (next === undefined || (verb === "start" && ["with", "from", "at", "on"].includes(next))) return false;
  const isPlain = isObject || (GRAVE.has(effect) && !NOUNS.has(words[at] ?? "") && !ENDS.has(next));
  if (BESIDE.has(before) || (/.ly$/.test(before) && at > 1)) return !ENDS.has(next);
  if (ASIDES.has(before)) return isPlain;
  return (
    joinsAt(words, at - 1) && isPlain && words.slice(0, at - 1).some((word, index) => isBeside(word, words[index - 1]))
  );
}
const isBeside = (word: string, before: string | undefined): boolean =>
  word.endsWith("ing") && before !== undefined && (BESIDE.has(before) || ASIDES.has(before) || before === "by");
const ASIDES = set(", ( - – —");
const BESIDE = set("while thereby thus hence");
/** "Allowing you to filter", "making it easy": a purpose, not an act. */
const GIVES_WAY = set("allow permit enable make give expose let");
const GRAVE: ReadonlySet<InferredEffect> = new Set(["destroy", "access", "send", "commit", "pay"]);
const NOUNS = set(
  "booking billing shipping following posting rating ordering clearing funding trading spending voting sharing messaging tipping closing reporting pricing",
);

/** "Useful for finding, updating and deleting pages", "before deleting a page, updating it". */
const isAdvice = (words: readonly string[], at: number): boolean =>
  words.slice(0, at).some((word, index) => ADVISES.has(word) && (words[index + 1] ?? "").endsWith("ing"));
const ADVISES = set("for before after when without instead of avoid about on to like than");
