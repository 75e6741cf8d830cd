/**
 * What the assistant plainly offered and the user's message says yes to: "Shall I close WEB-9?" "yes, close it". The user has read the
 * question and agreed, so the act that it names is theirs, in whatever language they talk. Pure.
 */
import { askedIn, isWithin, means, UNSPACED, wordsIn } from "../../approvals/answers/acts.ts";
import { behindYes } from "../../approvals/answers/message-phrases.ts";
import { isPlainYes, readAnswer } from "../../approvals/answers/read-answer.ts";
import {
  fillers,
  isInflected,
  saysOtherAct,
  UNSPACED_FILLERS,
  withoutStems,
} from "../../approvals/answers/repeats-question.ts";
import { actStaysDone } from "../../approvals/stays-done.ts";
import { offeredAct } from "../../intent/lexical/offered-act.ts";
import { asksOnlyToRead } from "../../intent/wish/asks-only-to-read.ts";
import { holdsBack } from "../../intent/wish/holds-back.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { type ActWords, spokenActs } from "../../lib/acts/act-words.ts";
import { once } from "../../lib/once.ts";
import type { AcceptedOffer, OfferedCall } from "../../policy/origin/origin-types.ts";
import { nameWords } from "../../policy/origin/roles/name-words.ts";
import type { ToolEffect } from "../../policy/origin/roles/tool-verbs.ts";
import { readValue } from "../../policy/origin/spelling/compared-value.ts";
import { readWritten, standsIn } from "../../policy/origin/spelling/written-text.ts";
import type { TurnInput } from "../turn.ts";
import { mainClause } from "./main-clause.ts";
import { objectCodes } from "./object-codes.ts";
import { offeredVerb } from "./offered-verb.ts";

interface ReadOffer {
  readonly message: string;
  readonly assistant: string | undefined;
  readonly offer: AcceptedOffer | undefined;
}

/** By the turn's input: the opening of a turn and the judgement of its calls mostly read the same message, and a yes costs up to 1 ms. */
const read = new WeakMap<TurnInput, ReadOffer>();

/** @param message the user's text in it, without the frontend's. */
export function offerAcceptedIn(
  input: TurnInput,
  message: string,
  assistant: string | undefined,
): AcceptedOffer | undefined {
  const known = read.get(input);
  if (known?.message === message && known.assistant === assistant) return known.offer;
  const offer = acceptedOffer(message, assistant);
  read.set(input, { message, assistant, offer });
  return offer;
}

/** UTF-16 units. A longer message says more than yes, and each word costs time before the first byte. */
const LONGEST_YES = 80;

/** @param assistant the assistant's message before; absent: not known. */
export function acceptedOffer(message: string, assistant: string | undefined): AcceptedOffer | undefined {
  if (assistant === undefined || message.length > LONGEST_YES) return undefined;
  const offered = offeredAct(assistant);
  const text = offered === undefined ? "" : mainClause(offered);
  const verb = text === "" ? undefined : offeredVerb(latin(text), assistant);
  if (verb === undefined || asksOnlyToRead(text)) return undefined;
  const words = wordsIn(latin(text));
  if (!accepts(message, text, verb, words)) return undefined;
  const orders = once(() => ordersIn([verb], words));
  const nouns = once(() => nounsOf(words));
  const acts = once(() => actsOf(verb, words));
  const codes = once(() => objectCodes(text, assistant));
  const written = once(() => readWritten(text));
  const names = (value: string | number): boolean => {
    const compared = saysSomething(value) ? readValue(value) : undefined;
    return compared !== undefined && standsIn(written(), compared);
  };
  return {
    text,
    offers: (call) => {
      const { traits, effects } = call;
      const values = call.values.slice(0, MAX_VALUES);
      if (!holdsNamed(text, codes(), values, names) || cannotBeTakenBack(call)) return false;
      const named = wordsIn(nameWords(traits.name.split("__").at(-1) ?? traits.name).join(" "));
      const isOrder = !orders().isDisjointFrom(ordersIn(named, named));
      if (isOrder && (sharesNoun(nouns(), nounsOf(named), values) || values.some(names))) return true;
      if (![...acts()].some((act) => act !== "read" && effects.has(act))) return false;
      const isAboutIt = codes().length > 0 || sharesWord(nouns(), nounsOf(named));
      return values.some((value) => names(value) && (isAboutIt || /\p{N}/u.test(String(value))));
    },
  };
}

/** As the table of acts writes German words. */
const latin = (text: string): string => text.replaceAll("ß", "ss");

/** An honest call has fewer, and each costs a search. */
const MAX_VALUES = 50;

/** Also where the policy says that it can be undone: a yes to "Shall I turn it off?" must not switch off the alarm. */
function cannotBeTakenBack({ traits, arguments: args }: OfferedCall): boolean {
  const { name: tool, category, listed, destination = null, description = null } = traits;
  return actStaysDone(
    { tool, category, listed, reversible: false, destination: destination || null, description },
    args,
  );
}

/**
 * Where the offer names objects by their codes, and where it says numbers, the call holds the first of each. For "WEB-9 and WEB-10" it may
 * hold either.
 */
function holdsNamed(
  text: string,
  codes: readonly string[],
  values: readonly (string | number)[],
  names: (value: string | number) => boolean,
): boolean {
  const own = codes.map((one) => one.toLowerCase());
  const held = values.map((value) => String(value).slice(0, MAX_VALUE).trim().toLowerCase());
  if (own.length > 0 && !held.some((value) => own.includes(value))) return false;
  const numbers = wordsIn(text).filter((word) => /^\p{N}/u.test(word) && !own.some((one) => one.includes(word)));
  const [first] = numbers;
  if (first === undefined || held.some((value) => wordsIn(value).includes(first))) return true;
  // "13 Uhr" is 13:00.
  return numbers.length === 1 && values.some((value) => /\p{N}/u.test(String(value)) && names(value));
}

const WEIGHTY: readonly ToolEffect[] = ["destroy", "pay", "access", "commit", "send"];

/** A yes of known words, or one with nothing behind it but the offer's own words; and no order of another act: "save it". */
function accepts(message: string, offer: string, verb: string, words: readonly string[]): boolean {
  const isYes = isPlainYes(message) || (repeatsOffer(message, verb, words) && !holdsBack(message));
  if (!isYes || saysOtherAct(message, askedIn(offer))) return false;
  const [said, offered] = [namedActs(message).wanted, namedActs(offer).wanted];
  return WEIGHTY.every((act) => offered.has(act) || !said.has(act));
}

/** "Yes, close it", "close it"; not "yes, tomorrow". One that names only a part of what is offered wants no more than that. */
function repeatsOffer(message: string, verb: string, offer: readonly string[]): boolean {
  // "Yes, later" is an answer, and another one.
  if (readAnswer(message) !== undefined) return false;
  const behind = behindYes(message);
  const words = wordsIn(latin(behind ?? message));
  const stems = linesOf(verb, offer).flatMap((line) => line.stems);
  const isVerb = (word: string): boolean => isOneOf(word, stems, words) || word === verb;
  const isOwn = (word: string): boolean => {
    if (fillers().has(word) || offer.includes(word) || isInflected(word, offer) || isVerb(word)) return true;
    const known = [...offer, ...stems].filter(isUnspaced);
    return UNSPACED.test(word) && withoutStems(word, known).replace(UNSPACED_FILLERS, "") === "";
  };
  if (!words.every(isOwn) || (behind === undefined && !words.some(isVerb))) return false;
  const said = nounsOf(words);
  return said.length === 0 || nounsOf(offer).every((noun) => said.includes(noun) || isInflected(noun, said));
}

/** To close something changes it. */
function actsOf(verb: string, words: readonly string[]): ReadonlySet<ToolEffect> {
  const { wanted } = namedActs(verb);
  return ordersIn([verb], words).has("close") ? new Set([...wanted, "change"]) : wanted;
}

/** The lines of the table that have a word, and those of the same orders in other languages. */
function linesOf(word: string, beside: readonly string[]): readonly ActWords[] {
  const own = spokenActs().filter(({ stems }) => isOneOf(word, stems, beside));
  return spokenActs().filter(
    (line) => own.includes(line) || (line.group !== undefined && own.some(({ group }) => group === line.group)),
  );
}

/** The kinds of orders that the words name: "l'éteindre" and `turn_off` are of one. */
const ordersIn = (words: readonly string[], beside: readonly string[]): ReadonlySet<string> =>
  new Set(
    spokenActs().flatMap(({ group, stems }) =>
      group !== undefined && words.some((word) => isOneOf(word, stems, beside)) ? [group] : [],
    ),
  );

const isOneOf = (word: string, stems: readonly string[], beside: readonly string[]): boolean =>
  stems.some((stem) => means(word, stem, beside) || isWithin(word, stem));

/** "Turn off the hall light" names `hall_light_off`, and `turn_off` of `light.hall`. */
function sharesNoun(
  wanted: readonly string[],
  named: readonly string[],
  values: readonly (string | number)[],
): boolean {
  if (wanted.length === 0 || named.length > 0) return wanted.length === named.length || sharesWord(wanted, named);
  return values.slice(0, MAX_VALUES).some((value) => sharesWord(wanted, wordsIn(String(value).slice(0, MAX_VALUE))));
}

/** UTF-16 units. A longer value is a text, which may hold any word. */
const MAX_VALUE = 100;

const sharesWord = (wanted: readonly string[], named: readonly string[]): boolean =>
  wanted.some((noun) => named.includes(noun) || isInflected(noun, named));

/** Words that neither name an act nor only join others. */
function nounsOf(words: readonly string[]): readonly string[] {
  const stems = allStems();
  return words.flatMap((word) => {
    if (fillers().has(word) || stems.some((stem) => means(word, stem, words))) return [];
    const rest = UNSPACED.test(word)
      ? withoutStems(word, stems.filter(isUnspaced)).replace(UNSPACED_FILLERS, "")
      : word;
    return rest === "" ? [] : [rest];
  });
}

const allStems = once(() => spokenActs().flatMap(({ stems }) => stems));
const isUnspaced = (stem: string): boolean => UNSPACED.test(stem);

/** Not "off", "it" or 1: they stand in many an offer, whatever it is about. */
const saysSomething = (value: string | number): boolean =>
  String(value).length <= MAX_VALUE && nounsOf(wordsIn(String(value))).join("").length > 1;
