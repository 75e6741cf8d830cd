/**
 * What the words of a tool say about its effects: each word of evidence with its place. Pure.
 *
 * A description says more than a name: "Gets the report. Deletes it afterwards", "It also sends an email to the participants". So all
 * its verbs count, but for those that tell no act of the tool: participles ("emails sent to the user"), negated ones ("without
 * sending it"), advice ("use this before you send it"), code in backticks, and nouns ("the posts of a channel").
 */
import { once } from "../../lib/once.ts";
import type { InferredEffect } from "./effects.ts";
import { nameWords, singular } from "./name-words.ts";
import { familyOfNoun } from "./nouns.ts";
import { type FoundVerb, isAlsoNoun, isForeign, phraseAt, unspacedEffects, verbOf } from "./verbs.ts";
import { answersUser, givesResult, isReported, objectOf, runsReadOnly, withObject } from "./with-object.ts";

export interface ToolWords {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
  /** Hints of an MCP server. */
  readonly annotations?: unknown;
}

export interface Evidence {
  readonly effect: InferredEffect;
  /** In words, for the policy's author. */
  readonly why: string;
  /** Whether it is the tool's first verb: what the tool is for. */
  readonly head?: true;
}

/** Longer descriptions are cut here; at run time a tool with one is not inferred at all. */
const MAX_DESCRIPTION = 4_000;

/** What a tool's arguments say of the words of its name and its description. */
export interface Circumstances {
  /** It takes arguments of its own. */
  readonly takesArguments: boolean;
  /** It takes a receiver. */
  readonly hasReceiver: boolean;
  /** It takes an amount. */
  readonly hasAmount: boolean;
}

export function nameEvidence(name: string, taken: Circumstances): readonly Evidence[] {
  const words = nameWords(name);
  // A toolkit's name may stand before it: `AmazonPlaceOrder`.
  const begin = [0, 1, 2].find(
    (at) => phraseAt(words, at) !== undefined && (at === 0 || verbOf(words[0] ?? "") === undefined),
  );
  const first = begin === undefined ? undefined : phraseAt(words, begin);
  const head = headOf(words, taken.takesArguments);
  const nouns = words.filter((_, at) => at !== head);
  const evidence: Evidence[] = [];
  if (first)
    evidence.push({
      effect: first,
      why: `its name says \`${words.slice(begin, (begin ?? 0) + 2).join(" ")}\``,
      head: true,
    });
  else if (head >= 0) {
    const verb = verbOf(words[head] ?? "");
    // A description says what a tool returns; a name that begins so gives goods back.
    const objects = new Set(nouns.map(singular));
    const object = objectOf(words.slice(head + 1)) ?? objectOf(words.slice(0, head));
    const effect = verb?.verb === "return" ? "pay" : verb && withObject({ ...verb, objects, object });
    if (verb && effect) evidence.push({ effect, why: `its name says \`${words[head]}\``, head: true });
  }
  words.forEach((word, at) => {
    const before = words[at - 1] ?? "";
    const verb = at > head && isAnd(before) ? verbOf(word) : undefined;
    if (verb) evidence.push({ effect: verb.effect, why: `its name says \`${before} ${word}\`` });
    else if (head > 0 && at !== head) evidence.push(...besideHead(word, at > head, taken));
  });
  return evidence;
}

/**
 * A verb beside the one behind a noun: `file_read_delete`. One that is also a noun is a verb where the tool takes what such an act needs:
 * `transfer_get_money(amount, to)`.
 */
function besideHead(word: string, isBehind: boolean, { hasReceiver, hasAmount }: Circumstances): readonly Evidence[] {
  const verb = verbOf(word);
  if (!verb || verb.form === "ing") return [];
  const needsReceiver = verb.effect === "send" || verb.effect === "commit" || verb.effect === "access";
  const isAct = isAlsoNoun(verb.verb)
    ? (needsReceiver && hasReceiver) || (verb.effect === "pay" && (hasReceiver || hasAmount))
    : isBehind && verb.form === "base";
  return isAct ? [{ effect: verb.effect, why: `its name says \`${word}\`` }] : [];
}

/**
 * Where the verb of a name stands, or -1. A noun at the beginning that is a verb too does not hide the verb behind it: `order_cancel`,
 * `files_upload`.
 * @param takesArguments it takes arguments of its own.
 */
export function headOf(words: readonly string[], takesArguments: boolean): number {
  const isVerb = (word: string, at: number) => {
    const verb = verbOf(word);
    // `logs`, `messages`: what it is about; `transfers(amount, to)` does it.
    if (!takesArguments && words.length === 1 && verb?.form === "third" && isAlsoNoun(verb.verb)) return false;
    return verb !== undefined && (at === 0 || (verb.form === "base" && !isAlsoNoun(verb.verb)) || isForeign(verb));
  };
  const [first = ""] = words;
  const known = verbOf(first);
  if (known && isAlsoNoun(known.verb) && familyOfNoun(singular(first)) !== undefined) {
    const behind = words.findIndex((word, at) => {
      const verb = at > 0 ? verbOf(word) : undefined;
      return verb?.form === "base" && (!isAlsoNoun(verb.verb) || known.form === "third");
    });
    if (behind > 0 && !words.slice(1, behind).some(isPreposition)) return behind;
  }
  return words.findIndex(isVerb);
}

const isPreposition = (word: string): boolean =>
  ["to", "for", "from", "by", "with", "in", "on", "of", "at", "and", "or"].includes(word);

const isAnd = (word: string): boolean => ["and", "or", "then", "und", "oder", "y", "o"].includes(word);

interface DescriptionReading {
  /** The name says that the tool reads. */
  readonly readsByName: boolean;
  readonly hasReceiver: boolean;
  /** A person reviews it: the word that a query is read-only counts. */
  readonly believesReaders: boolean;
}

export function descriptionEvidence(description: string, reading: DescriptionReading): readonly Evidence[] {
  const cut = description.slice(0, MAX_DESCRIPTION);
  const text = cut.replace(EXAMPLES, " … ");
  const sentences = text.split(/[.!?;。！？]+(?:\s+|$)|\n+/).filter((sentence) => /\p{L}/u.test(sentence));
  const evidence = [
    ...sentences.flatMap((sentence, index) => sentenceEvidence(sentence, index === 0, reading)),
    ...quotedEvidence(cut),
  ];
  const unspaced = unspacedEffects(text).map(
    ([verb, effect]): Evidence => ({ effect, why: `its description says ${verb}` }),
  );
  return [
    ...evidence,
    ...unspaced.map((one, index) => (index === 0 && evidence.length === 0 ? { ...one, head: true as const } : one)),
  ];
}

/** "Performs an 'unlock' action": a quoted act can make a tool stricter, never looser. */
const QUOTED_ACT =
  /\b(?:perform|execute|trigger|carr(?:y|ies) out|issue|do)(?:s|es)?\s+(?:an?|the)\s+['"`‘“](\p{L}+)['"`’”]|['"`‘“](\p{L}+)['"`’”]\s+(?:action|operation|command)s?\b/giu;

function quotedEvidence(text: string): readonly Evidence[] {
  return [...text.matchAll(QUOTED_ACT)].flatMap(([, done, named]): Evidence[] => {
    const word = (done ?? named ?? "").toLowerCase();
    const effect = verbOf(word)?.effect;
    return effect === "access" || effect === "destroy" ? [{ effect, why: `its description says \`${word}\`` }] : [];
  });
}

/** Code, quotations and examples tell no act of the tool. */
const EXAMPLES = /`[^`]*`|"[^"]*"|\b(?:e\.g\.|for example|for instance|such as)[^.;\n]*/gi;

/** Words that say that a verb behind them tells no act of the tool. */
const negations = once(
  () =>
    new Set(
      "not never no without cannot don't doesn't won't isn't n't nor neither before unless instead if whether when once until after avoid kein nicht ohne sin no".split(
        " ",
      ),
    ),
);
/** Behind these a verb in its base form is an act of the tool: "used to send", "will delete". */
const leads = once(
  () =>
    new Set(
      "will can to automatically also then and or may immediately permanently it which that optionally & und y".split(
        " ",
      ),
    ),
);
const purposes = once(
  () =>
    new Set(
      "used use allows allow lets enables enable tool function able helps help api let you user agent model us order attempts tries".split(
        " ",
      ),
    ),
);
const determiners = once(
  () =>
    new Set(
      "the a an it its them their this that these those each all any some your his her one every … to".split(" "),
    ),
);

function sentenceEvidence(sentence: string, isFirst: boolean, reading: DescriptionReading): readonly Evidence[] {
  const words = sentence.toLowerCase().match(/[\p{L}\p{M}'’-]+|…|[,:()]/gu) ?? [];
  const evidence: Evidence[] = [];
  let head = -1;
  const verbs = words.map(verbOf);
  const firstBase = verbs.findIndex((verb) => verb?.form === "base");
  words.forEach((word, at) => {
    const passive = passiveEffect(words, at);
    if (passive && !isNegated(words, at))
      evidence.push({ effect: passive, why: `its description says \`${words[at - 1]} ${word}\`` });
    const phrase = phraseAt(words, at);
    const verb = verbs[at];
    if (!verb && !phrase) return;
    const isHead = head < 0 && isHeadOf(words, at, verb?.form);
    if (!isHead && !(verb && isActOf(words, at, verb, firstBase))) return;
    if (isNegated(words, at)) return;
    if (isHead) head = at;
    const objects = new Set(words.slice(at + 1, at + 7).map(singular));
    const effect = phrase ?? (verb ? effectIn(verb, words.slice(at + 1), reading) : "change");
    if (verb?.verb === "mark" && (objects.has("read") || objects.has("seen"))) return;
    evidence.push({
      effect,
      why: `its description says \`${word}\``,
      ...(isHead && isFirst ? { head: true as const } : {}),
    });
  });
  return evidence;
}

/** @param rest what stands behind the verb. */
function effectIn({ verb, effect }: FoundVerb, rest: readonly string[], reading: DescriptionReading): InferredEffect {
  const { readsByName, hasReceiver, believesReaders } = reading;
  if (verb === "return" && givesResult(rest, readsByName)) return "read";
  if (verb === "report" && !hasReceiver && !isReported(rest) && givesResult(rest, readsByName)) return "read";
  if (verb === "answer" && !hasReceiver && answersUser(rest)) return "read";
  if (effect === "execute" && believesReaders && runsReadOnly(rest)) return "read";
  const done = verb === "return" ? "change" : effect;
  return withObject({ effect: done, verb, objects: new Set(rest.slice(0, 6).map(singular)), object: objectOf(rest) });
}

/** Words that stand before the first verb of a sentence: "This tool sends", "Used to send", "A function for sending". */
const openings = once(
  () =>
    new Set(
      "this the a an tool function api endpoint method action command it used use to allows you for of user users the be can will lets enables securely quickly simply also then optionally asynchronously please agent in on".split(
        " ",
      ),
    ),
);

function isHeadOf(words: readonly string[], at: number, form: string | undefined): boolean {
  if (at > 8 || !words.slice(0, at).every((word) => openings().has(word))) return false;
  const before = words[at - 1];
  // "The emails of the user": a noun.
  if (before !== undefined && ["the", "a", "an", "user", "users", "this", "in", "on"].includes(before)) return false;
  // "Use for requests like this", "of posts": nouns.
  if (form === "third" && (before === "for" || before === "of" || before === "to")) return false;
  return before === undefined || form !== "ing" || before === "for" || before === "of";
}

function isActOf(words: readonly string[], at: number, { verb, form }: FoundVerb, firstBase: number): boolean {
  const [before = "", next = ""] = [words[at - 1], words[at + 1]];
  if (form === "ing") return before === "by";
  const isObject = determiners().has(next);
  if (form === "third") {
    if (isAlsoNoun(verb)) return isObject && (leads().has(before) || before === ",");
    return leads().has(before) || before === "," || isObject;
  }
  if (before === "to") return purposes().has(words[at - 2] ?? "") || at === 1;
  if (!leads().has(before) && before !== ",") return false;
  if (before === "and" || before === "or" || before === "," || before === "&") {
    // In a list of acts its first verb has a base form too: "Read and delete", but not "names and email".
    const joins = before !== "," && verbOf(words[at - 2] ?? "")?.form === "base";
    return isObject || joins || (!isAlsoNoun(verb) && firstBase >= 0 && firstBase < at);
  }
  return before !== "that" && before !== "which" ? before !== "it" || isObject : false;
}

/** "The second one is deleted": what happens to others' things, but not "messages that are sent". */
function passiveEffect(words: readonly string[], at: number): InferredEffect | undefined {
  if (!["is", "are", "be", "gets", "get"].includes(words[at - 1] ?? "")) return undefined;
  if (["that", "which", "who"].includes(words[at - 2] ?? "")) return undefined;
  return participles().get(words[at] ?? "");
}

const participles = once(
  () =>
    new Map<string, InferredEffect>([
      ...["deleted", "removed", "erased", "overwritten", "cancelled", "canceled"].map(
        (one) => [one, "destroy"] as const,
      ),
      ...["sent", "notified", "emailed", "published", "posted", "shared", "forwarded"].map(
        (one) => [one, "send"] as const,
      ),
      ...["charged", "billed", "transferred", "paid"].map((one) => [one, "pay"] as const),
      ...["executed"].map((one) => [one, "execute"] as const),
    ]),
);

/** A negation a few words before, in the same clause. */
function isNegated(words: readonly string[], at: number): boolean {
  const clause = words.slice(Math.max(0, at - 6), at);
  const from = clause.findLastIndex((word) => word === "but" || word === "(" || word === "," || word === "then");
  return clause.slice(from + 1).some((word) => negations().has(word) || word.endsWith("n't"));
}
