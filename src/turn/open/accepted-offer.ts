/**
 * What the assistant plainly offered and the user's message says yes to: "Shall I close WEB-9?" "yes, close it". The user has read the
 * question and agreed, so the act that it names is theirs, in whatever language they talk. Pure.
 */
import { askedIn, isWithin, means, UNSPACED, wordsIn } from "../../approvals/answers/acts.ts";
import { isPlainYes } from "../../approvals/answers/read-answer.ts";
import {
  fillers,
  isInflected,
  saysOtherAct,
  UNSPACED_FILLERS,
  withoutStems,
} from "../../approvals/answers/repeats-question.ts";
import { offeredAct } from "../../intent/lexical/offered-act.ts";
import { asksOnlyToRead } from "../../intent/wish/asks-only-to-read.ts";
import { continuationOf } from "../../intent/wish/continues.ts";
import { namedActs } from "../../intent/wish/named-acts.ts";
import { KEEPS_AT } from "../../intent/wish/thresholds.ts";
import { spokenActs } from "../../lib/acts/act-words.ts";
import { once } from "../../lib/once.ts";
import type { AcceptedOffer } from "../../policy/origin/origin-types.ts";
import { nameWords } from "../../policy/origin/roles/name-words.ts";
import type { ToolEffect } from "../../policy/origin/roles/tool-verbs.ts";
import { readValue } from "../../policy/origin/spelling/compared-value.ts";
import { readWritten, standsIn } from "../../policy/origin/spelling/written-text.ts";
import type { TurnInput } from "../turn.ts";
import { mainClause } from "./main-clause.ts";

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

/** UTF-16 units. A longer message says more than yes. */
const LONGEST_YES = 300;

/** @param assistant the assistant's message before; absent: not known. */
export function acceptedOffer(message: string, assistant: string | undefined): AcceptedOffer | undefined {
  if (assistant === undefined || message.length > LONGEST_YES) return undefined;
  const offered = offeredAct(assistant);
  const text = offered === undefined ? "" : mainClause(offered);
  if (text === "" || asksOnlyToRead(text) || !accepts(message, assistant, text)) return undefined;
  const words = wordsIn(text);
  const orders = once(() => ordersIn(words));
  const nouns = once(() => nounsOf(words));
  const acts = once(() => actsOf(text));
  const written = once(() => readWritten(text));
  const names = (value: string | number): boolean => {
    const compared = saysSomething(value) ? readValue(value) : undefined;
    return compared !== undefined && standsIn(written(), compared);
  };
  return {
    text,
    offers: (tool, effects, values) => {
      const named = wordsIn(nameWords(tool.split("__").at(-1) ?? tool).join(" "));
      const isOrder = !orders().isDisjointFrom(ordersIn(named));
      if (isOrder && sharesNoun(nouns(), nounsOf(named), values)) return true;
      const isAct = isOrder || [...acts()].some((act) => act !== "read" && effects.has(act));
      return isAct && values.slice(0, MAX_VALUES).some(names);
    },
  };
}

/** An honest call has fewer, and each costs a search. */
const MAX_VALUES = 50;

const WEIGHTY: readonly ToolEffect[] = ["destroy", "pay", "access", "commit", "send"];

/** A yes of known words, or a go-ahead and surely nothing else; but no order of another act: "save it". */
function accepts(message: string, assistant: string, offer: string): boolean {
  const isYes = isPlainYes(message) || continuationOf({ assistant, text: message }).accepts >= KEEPS_AT;
  if (!isYes || saysOtherAct(message, askedIn(offer))) return false;
  const [said, offered] = [namedActs(message).wanted, namedActs(offer).wanted];
  return WEIGHTY.every((act) => offered.has(act) || !said.has(act));
}

/** To close something changes it. */
function actsOf(text: string): ReadonlySet<ToolEffect> {
  const { wanted } = namedActs(text);
  return ordersIn(wordsIn(text)).has("close") ? new Set([...wanted, "change"]) : wanted;
}

/** The kinds of orders that the words name: "l'éteindre" and `turn_off` are of one. */
const ordersIn = (words: readonly string[]): ReadonlySet<string> =>
  new Set(
    spokenActs().flatMap(({ group, stems }) =>
      group !== undefined && words.some((word) => isOneOf(word, stems, words)) ? [group] : [],
    ),
  );

const isOneOf = (word: string, stems: readonly string[], beside: readonly string[]): boolean =>
  stems.some((stem) => means(word, stem, beside) || isWithin(word, stem));

/** "Turn off the hall light" names `hall_light_off`, and `turn_off` of `light.hall`. Where no noun is on either side there is no other object. */
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
