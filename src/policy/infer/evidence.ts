/**
 * Collects the evidence for a tool's effects from its words: each word with its position. Pure.
 *
 * A description says more than a name: "Gets the report. Deletes it afterwards", "It also sends an email to the participants". So all
 * its verbs count, passive ones too ("old ones are purged"), except those that are no act of the tool: participles that describe a thing
 * ("emails sent to the user"), negated ones ("without sending it"), advice ("use this before you send it"), code in backticks, and nouns ("the
 * posts of a channel").
 */
import { once } from "../../lib/once.ts";
import { isActingAt, isDestroyedAt, isNegated, passiveEffect } from "./clause-acts.ts";
import type { InferredEffect } from "./effects.ts";
import { singular } from "./name-words.ts";
import { type FoundVerb, isAlsoNoun, phraseAt, unspacedEffects, verbOf } from "./verbs.ts";
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
  /** A text for the policy's author. */
  readonly why: string;
  /** Whether it is the tool's first verb: its main purpose. */
  readonly head?: true;
}

/** Longer descriptions are cut here; at run time a tool with one is not inferred at all. */
const MAX_DESCRIPTION = 4_000;

interface VerbReading extends DescriptionReading {
  readonly isAside: boolean;
}

interface DescriptionReading {
  /** The name says that the tool reads. */
  readonly readsByName: boolean;
  readonly hasReceiver: boolean;
  readonly hasAmount: boolean;
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

/** Code, quotations and examples are no acts of the tool. */
const EXAMPLES = /`[^`]*`|"[^"]*"|\b(?:e\.g\.|for example|for instance|such as)[^.;\n]*/gi;

/** After these, a verb in its base form is an act of the tool: "used to send", "will delete". */
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
  const words = sentence.toLowerCase().match(/[\p{L}\p{M}'’-]+|…|[,:()–—]/gu) ?? [];
  const evidence: Evidence[] = [];
  let head = -1;
  const verbs = words.map(verbOf);
  const firstBase = verbs.findIndex((verb) => verb?.form === "base");
  words.forEach((word, at) => {
    const happens = passiveEffect(words, at) ?? (isDestroyedAt(words, at) ? "destroy" : undefined);
    if (happens) evidence.push({ effect: happens, why: `its description says \`${words[at - 1]} ${word}\`` });
    const phrase = phraseAt(words, at);
    const verb = verbs[at];
    if (!verb && !phrase) return;
    const isHead = head < 0 && isHeadOf(words, at, verb?.form);
    if (!isHead && !(verb && isActOf(words, at, verb, firstBase))) return;
    if (isNegated(words, at)) return;
    if (isHead) head = at;
    const objects = new Set(words.slice(at + 1, at + 7).map(singular));
    const effect =
      phrase ?? (verb ? effectIn(verb, words.slice(at + 1), { ...reading, isAside: !(isHead && isFirst) }) : "change");
    if (verb?.verb === "mark" && (objects.has("read") || objects.has("seen"))) return;
    evidence.push({
      effect,
      why: `its description says \`${word}\``,
      ...(isHead && isFirst ? { head: true as const } : {}),
    });
  });
  return evidence;
}

/** @param rest the words after the verb. */
function effectIn({ verb, effect }: FoundVerb, rest: readonly string[], reading: VerbReading): InferredEffect {
  const { readsByName, hasReceiver, hasAmount, isAside, believesReaders } = reading;
  if (verb === "return" && givesResult(rest, readsByName)) return "read";
  if (verb === "report" && !hasReceiver && !isReported(rest) && givesResult(rest, readsByName)) return "read";
  if (verb === "answer" && !hasReceiver && answersUser(rest)) return "read";
  if (effect === "execute" && believesReaders && runsReadOnly(rest)) return "read";
  const done = verb === "return" ? "change" : effect;
  const objects = new Set(rest.slice(0, 6).map(singular));
  return withObject({ effect: done, verb, objects, object: objectOf(rest), rest, hasReceiver, hasAmount, isAside });
}

/** Words before the first verb of a sentence: "This tool sends", "Used to send", "A function for sending". */
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

function isActOf(words: readonly string[], at: number, found: FoundVerb, firstBase: number): boolean {
  const { verb, form } = found;
  const [before = "", next = ""] = [words[at - 1], words[at + 1]];
  const isObject = determiners().has(next);
  if (found.form === "ing") return isActingAt(words, at, found, isObject);
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
