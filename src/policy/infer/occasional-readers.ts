/**
 * Verbs that read some things and act on others: to convert a currency is to calculate, to convert a lead is to change it. Pure.
 *
 * Such a verb reads only if its object is known to be data. Words for money, access, people or code contradict that, and so does
 * an unknown object: in doubt the tool acts.
 */
import type { InferredEffect } from "./effects.ts";
import { singular } from "./name-words.ts";
import { ACCESS, ARRANGED, CODE, DATA, familyOfNoun, MONEY, OTHERS_TEXT, originOfNoun } from "./nouns.ts";
import { effectOfVerb } from "./verbs.ts";

interface ReadWords {
  readonly verb: string;
  /** The words after it, in lower case. */
  readonly rest: readonly string[];
  readonly hasReceiver: boolean;
  readonly hasAmount: boolean;
  /** Not the tool's first verb: "It also provides …" says what is returned. */
  readonly isAside?: boolean;
}

/**
 * The effect of a verb that mostly reads, in the words of a name or a description.
 * @param described the words after the same verb in the description, for a name whose own words do not decide.
 */
export function readingEffect(words: ReadWords, described: readonly string[] = []): InferredEffect {
  const told = toldEffect(words);
  if (told) return told;
  const again = described.length > 0 ? toldEffect({ ...words, rest: described }) : undefined;
  return again ?? occasional.get(words.verb) ?? "read";
}

/** Undefined if the object of the verb is not known. */
function toldEffect(words: ReadWords): InferredEffect | undefined {
  const near = words.rest.slice(0, 6).map(singular);
  const phrase = phraseOf(words.rest);
  const object = singular(phrase.at(-1) ?? "");
  const given = givenTo(words, near, object);
  if (given) return given;
  if (TAKES.has(words.verb) && CASH.has(object)) {
    // "Get the funds" may list investments; a tool that takes money has an amount.
    if (words.hasAmount || words.verb === "extract") return "pay";
  }
  if (TAKES.has(words.verb) && ARRANGED.has(object) && words.hasReceiver) return "commit";
  if ((words.verb === "verify" || words.verb === "validate") && MONEY.has(object)) return "change";
  if (words.verb === "download" && (INSTALLED.has(object) || near.some(isMachine))) return "change";
  if (words.verb === "scan" && near.some((noun) => ATTACKED.has(noun))) return "execute";
  const otherwise = occasional.get(words.verb);
  if (otherwise === undefined || isData(words, near, phrase)) return "read";
  if (words.isAside && words.verb === "provide" && !near.some(isGrave)) return "read";
  return graveEffect(near) ?? (near.some((noun) => isPerson(noun) || CODE.has(noun)) ? otherwise : undefined);
}

/** "Tells the customer", "displays a message to the customer", "recommends the user", "suggests an edit": it reaches another person. */
function givenTo({ verb, rest }: ReadWords, near: readonly string[], object: string): InferredEffect | undefined {
  if (!SHOWS.has(verb)) return undefined;
  if (rest.slice(0, 9).some((word, at) => word === "to" && isToPerson(rest.slice(at + 1, at + 4)))) return "send";
  if (verb === "tell" && near.some(isPerson)) return "send";
  const isOne = rest.slice(0, 6).includes(object);
  if ((verb === "show" || verb === "display") && isOne && NOTICES.has(object)) return "send";
  if (verb !== "recommend" && verb !== "suggest") return undefined;
  if (isOne && (isPerson(object) || object === "user")) return "send";
  const effect = familyOfNoun(object) === undefined ? effectOfVerb(object) : undefined;
  return effect === "change" || effect === "create" ? "change" : undefined;
}

/** "To the next customer", "to members", but not "to treat a patient". */
function isToPerson(words: readonly string[]): boolean {
  const [first = "", ...further] = words.map(singular);
  return isPerson(first) || (DETERMINERS.has(first) && further.some(isPerson));
}

function isData({ verb }: ReadWords, near: readonly string[], phrase: readonly string[]): boolean {
  const isKnown = (noun: string) => DATA.has(noun) || FACTS.has(familyOfNoun(noun) ?? "") || reads(verb).has(noun);
  const last = phrase.at(-1) ?? "";
  const nouns = phrase.map(singular);
  const chooses = verb === "sort" || verb === "filter";
  if (chooses && near.includes("into")) return false;
  if ((verb === "evaluate" || verb === "load") && near.some((noun) => CODE.has(noun))) return false;
  if (verb === "evaluate" && near.some((noun) => WHERE_CODE_RUNS.has(noun))) return false;
  if (chooses && phrase.length === 0) return true;
  if (isKnown(singular(last))) return true;
  if (near.some(isGrave)) return false;
  if (MANY.has(verb) && singular(last) !== last) return true;
  return nouns.some(isKnown) || (verb === "access" && nouns.some((noun) => isText(noun)));
}

const isText = (noun: string): boolean => OTHERS_TEXT.has(noun) || originOfNoun(noun) === "own";
const isPerson = (noun: string): boolean => PEOPLE.has(noun);
const isMachine = (noun: string): boolean => familyOfNoun(noun) === "device" || familyOfNoun(noun) === "server";
const isGrave = (noun: string): boolean => CASH.has(noun) || MONEY.has(noun) || ACCESS.has(noun) || isPerson(noun);

function graveEffect(near: readonly string[]): InferredEffect | undefined {
  if (near.some((noun) => CASH.has(noun) || MONEY.has(noun))) return "pay";
  return near.some((noun) => ACCESS.has(noun)) ? "access" : undefined;
}

/** The words after a verb, up to the first that begins another part of the clause. */
function phraseOf(rest: readonly string[]): readonly string[] {
  const end = rest.findIndex((word) => ENDS.has(word));
  return end < 0 ? rest : rest.slice(0, end);
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const ENDS = set(
  "to from in inside into on onto of for with by via as at and or using through about between that which who so , : ( )",
);
const DETERMINERS = set("the a an this that each every all its their your his her");
const FACTS = set("weather time rate");
/** The person who is told or shown something is not the user. */
const PEOPLE = set(
  `customer client member team patient guest employee staff colleague friend seller buyer author recipient manager owner supplier partner contact
  lead driver doctor person people everyone everybody somebody someone candidate applicant public`,
);
const CASH = set("fund money cash coin crypto loan credit advance");
const TAKES = set("get obtain fetch retrieve access extract");
const SHOWS = set("tell provide show display explain describe recommend suggest translate summarize summarise");
const NOTICES = set("notification alert toast popup dialog banner");
const INSTALLED = set("update upgrade firmware software driver patch");
const WHERE_CODE_RUNS = set("page browser console debuggee debugger");
const ATTACKED = set("network subnet port host target");
/** Applied to many things at once, these choose or order what is returned. */
const MANY = set("sort filter provide");

/** The effect of a verb on everything that it does not read. */
const occasional: ReadonlyMap<string, InferredEffect> = new Map([
  ["resolve", "change"],
  ["provide", "change"],
  ["load", "change"],
  ["convert", "change"],
  ["track", "change"],
  ["watch", "change"],
  ["sort", "change"],
  ["filter", "change"],
  ["classify", "change"],
  ["tell", "send"],
  ["evaluate", "execute"],
  ["access", "access"],
]);

/** Objects that a verb reads, besides those that are data for all verbs. */
const own: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "resolve",
    set("dns domain hostname host address url uri redirect path reference symbol alias library package place"),
  ],
  ["tell", set("joke fact fortune story difference")],
  [
    "provide",
    set("documentation doc help guidance overview context breakdown insight example recommendation schema link"),
  ],
  ["load", set("page webpage document dataset image context note skill schema")],
  [
    "convert",
    set(`currency amount unit temperature timezone timestamp markdown html csv xml yaml color colour coordinate address measurement distance
      weight volume length speed`),
  ],
  ["track", set("package parcel shipment order delivery flight train bus courier")],
  ["sort", set("array line")],
  ["classify", set("image sentence sentiment language")],
  [
    "evaluate",
    set(
      "arithmetic math mathematical numeric numerical algebraic formula equation polynomial risk performance quality",
    ),
  ],
  ["access", set("documentation docs resource knowledge")],
]);
const none: ReadonlySet<string> = new Set();
const reads = (verb: string): ReadonlySet<string> => own.get(verb) ?? none;
