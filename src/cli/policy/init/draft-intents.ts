/**
 * The intents of a drafted policy: one for each family of tools and each kind of effect, with the words by which users ask for it.
 * An intent holds no more than one kind of effect, so that a request to find a mail is none to send one.
 */

import { isOpposing } from "../../../lib/acts/tool-verb.ts";
import { unique } from "../../../lib/unique.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { isAlsoNoun, verbOf } from "../../../policy/infer/verbs.ts";
import { distinctSentences, exampleSentences, plainSentences, sentenceOf } from "./example-sentences.ts";
import { type DraftTool, type IntentKind, isThing, kindOf, sameVerbs, spokenVerbs } from "./intent-kinds.ts";
import { DIFFERENT_THINGS, nounsOf } from "./intent-nouns.ts";
import { intentPatterns } from "./intent-patterns.ts";
import { invites, ownVerbs, verbalNouns } from "./own-verbs.ts";
import { isBooked, thingsOf } from "./phrases/acts.ts";

export interface DraftIntent {
  readonly name: string;
  readonly why: string;
  readonly settings: {
    readonly description: string;
    readonly keywords: readonly string[];
    readonly patterns: readonly string[];
    readonly examples: readonly string[];
    readonly tools: readonly string[];
  };
}

const MAX_DESCRIPTION = 480;

export function draftIntents(tools: readonly DraftTool[]): readonly DraftIntent[] {
  const groups = new Map<string, { readonly family: string; readonly kind: IntentKind; readonly tools: DraftTool[] }>();
  for (const tool of tools) {
    const kind = intentKind(tool);
    // To admit is not to discharge, and to invite is not to write: each has an intent of its own.
    const act = kind === "commit" ? (ownVerbs(tool)[0] ?? kind) : invites(tool) ? "invite" : kind;
    const name = `${tool.family}_${act}`.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, "_");
    const group = groups.get(name) ?? { family: tool.family, kind, tools: [] };
    group.tools.push(tool);
    groups.set(name, group);
  }
  const hasReaders = tools.some(({ inferred }) => inferred.category === "read_only");
  const kinds = [...groups.values()].map(({ kind }) => kind);
  const speaking = new Set([...groups.values()].flatMap(({ family, kind }) => (kind === "send" ? family : [])));
  const isBoth = speaking.has("email") && speaking.has("message");
  const owners = new Map<string, Set<string>>();
  for (const [name, { tools }] of groups)
    for (const verb of tools.flatMap(ownVerbs).flatMap((own) => [own, ...sameVerbs(own)]))
      owners.set(verb, (owners.get(verb) ?? new Set()).add(name));
  const nounsByName = new Map(
    [...groups].map(([name, { family, kind, tools: own }]) => {
      const others = DIFFERENT_THINGS.has(family) ? tools.filter((tool) => !own.includes(tool)) : [];
      return [name, nounsOf(family, kind, own, new Set(others.flatMap(thingsOf)))];
    }),
  );
  const chats = [...groups].filter(
    ([, { family, kind, tools }]) =>
      (family === "message" || family === "post") && (kind === "send" || kind === "publish") && !tools.some(invites),
  );
  // In a chat, a user who posts something without saying where means the chat.
  const [postsTo] =
    chats.find(([, { tools }]) => tools.flatMap(ownVerbs).includes("post")) ??
    chats.find(([, { family }]) => family === "post") ??
    chats[0] ??
    [];
  const words = [...groups].map(([name, { family, kind, tools }]) => {
    const nouns = nounsByName.get(name) ?? [];
    /** Another intent's own verb, of the same things: to invite to the workspace is not to write in it. */
    const isOthers = (verb: string) =>
      !COMMON.has(verb) &&
      [...(owners.get(verb) ?? [])].some(
        (other) => other !== name && nounsByName.get(other)?.some((noun) => nouns.includes(noun)),
      );
    const own = tools.flatMap(ownVerbs);
    const same = own.flatMap(sameVerbs);
    const published = kind === "send" && family === "post" ? spokenVerbs("publish") : [];
    const added = kind === "change" && TEXTS.has(family) ? ["add", "append"] : [];
    // A user who wants a refund rejected does not say "change the refund".
    const spoken =
      own.length > 0 && own.every(isOpposing)
        ? []
        : [...spokenVerbs(kind), ...published, ...added, ...own.flatMap(synonymsOf)];
    const verbs = unique([...own, ...same, ...spoken.filter((verb) => fits(family, own)(verb) && !isOthers(verb))]);
    const acts = kind === "find" ? [] : unique([...own, ...same]);
    const named = acts.filter((verb) => !COMMON.has(verb));
    const ownersOf = (verb: string) => owners.get(verb)?.size ?? 0;
    const isOwn = (verb: string) => ownersOf(verb) === 1;
    const isOnly = kinds.filter((one) => one === kind).length === 1;
    const refunds = kind === "pay" && kinds.includes("refund") ? (DISTINCT.refund ?? []) : [];
    const distinct = isOnly ? (DISTINCT[kind] ?? []).filter((verb) => !refunds.includes(verb)) : [];
    return {
      name,
      ...{ family, kind, tools, nouns, verbs },
      alone: unique([
        ...named.filter((verb) => isOwn(verb) && !isAlsoNoun(verb) && !isThing(verb)),
        ...distinct.filter((verb) => !isThing(verb)),
      ]),
      opening: unique([
        ...named.filter(
          (verb) => isOwn(verb) && (isAlsoNoun(verb) || isThing(verb)) && (verb !== "post" || postsTo === undefined),
        ),
        ...(name === postsTo ? ["post"] : []),
        // "The last email from Jo" and "my refund of May" ask for nothing.
        ...distinct.filter(isThing),
        // Not "looking forward to".
        ...(distinct.includes("send") ? ["forward"] : []),
      ]),
      referring: acts.filter((verb) => COMMON.has(verb) || !isOwn(verb)),
      // The rest of the sentence says which mail or message is meant.
      shared: named.filter((verb) => !isOwn(verb) && ownersOf(verb) <= MOST_SHARING && !(isMail(family) && isBoth)),
      made: unique(tools.flatMap(verbalNouns)),
      speaks: speaks(family, kind, own, speaking),
    };
  });
  const heard = words.filter(({ kind }) => kind !== "find" || groups.size <= FEW);
  const patternsOf = new Map(intentPatterns(heard).map((patterns, at) => [heard[at]?.name, patterns]));
  const takenKeywords = new Set<string>();
  const examples = distinctSentences(
    words.map(({ tools, kind, verbs, nouns }) => ({
      sentences: exampleSentences(tools, kind),
      others: plainSentences(verbs, nouns),
    })),
  );
  return words.map(({ name, family, kind, tools, nouns, verbs }, at) => {
    const patterns = patternsOf.get(name) ?? [];
    const sentences = tools.map(({ words }) => sentenceOf(words));
    const things = unique(tools.flatMap(thingsOf));
    const keywords = keywordsOf(verbs, patterns.length === 0 ? nouns : things, patterns.length === 0).filter(
      (keyword) => !takenKeywords.has(keyword),
    );
    for (const keyword of keywords) takenKeywords.add(keyword);
    return {
      name,
      why: `${kind}: ${tools.length === 1 ? "one tool" : `${tools.length} tools`} of the family ${family}`,
      settings: {
        description: describe(sentences, things),
        keywords,
        patterns,
        examples: examples[at] ?? [],
        // Reading needs no wish of its own: a user who asks to pay a bill may have it looked up first.
        tools: [
          ...(hasReaders ? ["category:read_only"] : []),
          ...(kind === "find" ? [] : tools.map(({ inferred }) => inferred.name)),
        ],
      },
    };
  });
}

/** A request to change a payment is none for another one, and a request to write to a person is none to publish. */
function intentKind({ words, inferred: { effect, effects, reasons } }: DraftTool): IntentKind {
  const [first = ""] = nameWords(words.name);
  // A hint that it may destroy is no word by which users ask for it.
  const isHinted = !reasons.some((reason) => reason.endsWith("(destroy)") && !reason.startsWith("its server"));
  if (effect === "destroy" && isHinted) return effects.has("execute") ? "run" : "change";
  if (effect === "pay" && verbOf(first)?.effect === "change") return "change";
  if (effect === "pay" && nameWords(words.name).some((word) => REFUNDS.has(word))) return "refund";
  if (effect === "pay" && nameWords(words.name).some((word) => BUYS.has(word))) return "buy";
  if (effect === "commit") return isBooked(words.name) ? "book" : "commit";
  if (effect !== "send") return kindOf(effect);
  const [described = ""] = nameWords(sentenceOf(words));
  const publishes = PUBLISH.has(first) || (verbOf(first)?.effect !== "send" && PUBLISHED_NOUNS.test(words.name));
  return publishes && !SEND.has(described) ? "publish" : "send";
}

/** A request to pay is none to give money back. */
const REFUNDS: ReadonlySet<string> = new Set(["refund", "refunds", "reimburse", "reimbursement", "credit_note"]);
/** A request to pay a bill is not an order. */
const BUYS: ReadonlySet<string> = new Set(["order", "buy", "purchase", "preorder", "checkout"]);
const PUBLISH: ReadonlySet<string> = new Set("publish post tweet comment upload submit upvote react".split(" "));
const SEND: ReadonlySet<string> = new Set("send sends message notify reply email".split(" "));
const PUBLISHED_NOUNS = /review|comment|post|tweet|story|page|site/i;

/**
 * If a tool writes to people directly, other tools that send are not meant by a request to tell a person something. In a chat, a post
 * may tell them, too.
 */
function speaks(
  family: string,
  kind: IntentKind,
  own: readonly string[],
  families: ReadonlySet<string>,
): false | "people" | "all" {
  if (kind === "publish") return family === "message" && "all";
  if (kind !== "send") return false;
  if (family === "message") return families.has("email") ? "people" : "all";
  // A request that a person should know something means a message, if there are messages; mail is requested by its name, or has an address.
  if (family === "email") return !families.has("message") && "all";
  return own.some((verb) => TELLS.has(verb)) && ![...families].some(isMail) && "all";
}
const TELLS: ReadonlySet<string> = new Set(
  "send message notify page ask contact alert announce text ping post".split(" "),
);
const isMail = (family: string): boolean => family === "message" || family === "email";

/** Verbs that go with some things alone: with texts and times, cases, devices, what one books. */
const fits =
  (family: string, own: readonly string[]) =>
  (verb: string): boolean => {
    const isText = ["note", "file", "email", "task", "database", "issue"].includes(family);
    if (["write", "save", "append", "insert", "upload"].includes(verb))
      return isText || !["account", "contact", "order", "product"].includes(family);
    if (["schedule", "plan"].includes(verb)) return !["contact", "order", "product"].includes(family);
    if (["open", "start", "file", "raise"].includes(verb)) return family === "issue";
    if (["make", "put"].includes(verb)) return (family === "device") === own.some(isChange);
    if (["send", "transfer"].includes(verb) && own.some((one) => ORDERED.has(one))) return false;
    if (["get me", "get us"].includes(verb)) return own.some((one) => ORDERED.has(one));
    return true;
  };

const isChange = (verb: string): boolean => verbOf(verb)?.effect === "change";
const ORDERED: ReadonlySet<string> = new Set("book reserve rent hire order buy purchase checkout".split(" "));
/** To add something to one of these is to change it. */
const TEXTS: ReadonlySet<string> = new Set("note file web issue post database".split(" "));

/** A verb of more intents says too little without a noun. */
const MOST_SHARING = 4;

/**
 * With more intents than these only those that act have patterns: readers are offered without an intent, too, and if many patterns find
 * something in a long message, the last ones are not tried.
 */
const FEW = 12;

/**
 * @param nouns the things that the tools themselves work on, if patterns find the rest.
 * @param alone there are no patterns, which would find a verb and its noun whatever is between them.
 */
function keywordsOf(verbs: readonly string[], nouns: readonly string[], alone: boolean): readonly string[] {
  const articles = alone ? ["", "a ", "the ", "my "] : [""];
  const pairs = verbs.slice(0, alone ? 6 : 4).flatMap((verb) => nouns.slice(0, 3).map((noun) => [verb, noun] as const));
  const different = pairs.filter(([verb, noun]) => verb !== noun);
  return unique(different.flatMap(([verb, noun]) => articles.map((article) => `${verb} ${article}${noun}`)));
}

const describe = (sentences: readonly string[], things: readonly string[]): string => {
  const described = unique(sentences).join("; ");
  const others = things.filter((thing) => !described.toLowerCase().includes(thing)).slice(0, 3);
  const text = others.length === 0 ? described : `${described} (${others.join(", ")})`;
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION).replace(/\s+\S*$/, "")} …`;
};

/** Too common to mean one intent alone. */
const COMMON: ReadonlySet<string> = new Set(
  "get make set add create update change open run do use put give save insert move edit select find".split(" "),
);

/** Users' words for the verb of a tool's name: to update is to change, whatever else the tool's effect is. */
const synonymsOf = (verb: string): readonly string[] => {
  const effect = verbOf(verb)?.effect;
  if (isOpposing(verb)) return [];
  return effect === "create" || effect === "change" || effect === "destroy" ? spokenVerbs(kindOf(effect)) : [];
};

/** Verbs that mean one kind of effect with any object: if only one intent has that kind, they need no noun. */
const DISTINCT: Readonly<Partial<Record<IntentKind, readonly string[]>>> = {
  pay: ["pay", "refund", "reimburse", "transfer"],
  buy: ["buy", "purchase"],
  book: ["book", "reserve"],
  refund: ["refund", "reimburse"],
  remove: ["delete", "remove", "cancel", "erase"],
  send: ["send", "reply", "email", "e-mail"],
};
