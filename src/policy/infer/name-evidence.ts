/** Reads a tool's effects from the words of its name, each with its reason. Pure. */
import type { Evidence, ToolWords } from "./evidence.ts";
import { nameWords, singular } from "./name-words.ts";
import { familyOfNoun } from "./nouns.ts";
import { isAlsoNoun, isForeign, phraseAt, verbOf } from "./verbs.ts";
import { objectOf, withObject } from "./with-object.ts";

/** Facts about a tool's arguments that help to read its name and its description. */
interface Circumstances {
  /** It takes arguments of its own. */
  readonly takesArguments: boolean;
  /** It takes a receiver. */
  readonly hasReceiver: boolean;
  /** It takes an amount. */
  readonly hasAmount: boolean;
}

export function nameEvidence({ name, description = "" }: ToolWords, taken: Circumstances): readonly Evidence[] {
  const words = nameWords(name);
  // A toolkit's name may precede it: `AmazonPlaceOrder`.
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
    // In a description "returns" introduces the result; a name that begins with it gives goods back.
    const objects = new Set(nouns.map(singular));
    const object = objectOf(words.slice(head + 1)) ?? objectOf(words.slice(0, head));
    const behind = words.slice(head + 1);
    const said = {
      ...{ objects, object, rest: behind.length > 0 ? behind : words.slice(0, head) },
      described: verb ? behindVerb(verb.verb, description) : [],
    };
    const effect = verb?.verb === "return" ? "pay" : verb && withObject({ ...verb, ...said, ...taken });
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

/** The words after the same verb at the beginning of the description. */
function behindVerb(verb: string, description: string): readonly string[] {
  const words =
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/[\p{L}\p{M}'’-]+|[,:()]/gu) ?? [];
  const at = words.findIndex((word) => verbOf(word)?.verb === verb);
  return at < 0 ? [] : words.slice(at + 1);
}

/**
 * A second verb, after the one that follows a noun: `file_read_delete`. One that is also a noun is a verb if the tool takes what such an act needs:
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
 * The index of a name's verb, or -1. A noun at the beginning that is also a verb does not hide the verb after it: `order_cancel`,
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
