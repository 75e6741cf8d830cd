/** Refines a verb's effect by its object: `send money` pays, `send mail` sends; `create note`, `update password`, `return to base`. Pure. */
import type { InferredEffect } from "./effects.ts";
import { singular } from "./name-words.ts";
import {
  ACCESS,
  APPLIED_FOR,
  ARRANGED,
  DATA,
  familyOfNoun,
  MONEY,
  OTHERS_TEXT,
  originOfNoun,
  PRIVATE,
  PUBLISHED,
  READ_BY_OPENING,
  VISIBLE,
} from "./nouns.ts";
import { readingEffect } from "./occasional-readers.ts";

/** A verb and the words that it governs. */
interface VerbPhrase {
  readonly effect: InferredEffect;
  readonly verb: string;
  /** The words near it, in the singular. */
  readonly objects: ReadonlySet<string>;
  /** Its object: the last noun before a preposition. */
  readonly object: string | undefined;
  readonly hasReceiver: boolean;
  readonly hasAmount: boolean;
  /** The words after the verb, or before a verb that a name puts last. */
  readonly rest: readonly string[];
  /** Not the tool's first verb. */
  readonly isAside?: boolean;
  /** The words after the same verb in the description. */
  readonly described?: readonly string[];
}

/** The same verb has another effect with these objects. */
export function withObject({ effect, verb, objects, object, described, ...words }: VerbPhrase): InferredEffect {
  const has = (nouns: ReadonlySet<string>) => [...nouns].some((noun) => objects.has(noun));
  if (effect === "execute")
    return verb === "start" && [...objects].some(isStarted) && ![...objects].some(isRun) ? "change" : effect;
  if (effect === "read") return readingEffect({ verb, ...words }, described);
  if (effect === "commit" || effect === "pay") return effect;
  if (verb === "open" && has(READ_BY_OPENING)) return "read";
  if ((verb === "make" || verb === "set") && has(VISIBLE)) return "send";
  if (verb === "apply") {
    if (has(MONEY)) return "pay";
    if (object !== undefined && isGiven(object)) return "access";
    if (objects.has("for") || has(APPLIED_FOR)) return "send";
    return [...objects].some(isGiven) ? "access" : "change";
  }
  if (effect === "destroy") return has(ACCESS) && verb !== "delete" ? "access" : effect;
  if (has(MONEY) && effect !== "access") return "pay";
  if ((effect === "create" || verb === "leave") && has(PUBLISHED)) return "send";
  if (verb === "upload" && has(CHATS)) return "send";
  if (DELIVERS.has(verb) && object !== undefined && MESSAGES.has(object)) return "send";
  if ((effect !== "send" || verb === "request") && has(ARRANGED)) return "commit";
  if ((effect === "create" || verb === "set") && has(PRIVATE)) return "note";
  if (effect !== "send" && has(ACCESS)) return "access";
  if ((verb === "update" || verb === "change" || verb === "set") && objects.has("email")) return "access";
  return effect;
}

/** Applied to a person or a server, these say who may do what. */
const isGiven = (noun: string): boolean => ACCESS.has(noun) || RULES.has(noun);
const RULES: ReadonlySet<string> = new Set(["policy", "iam", "rbac", "acl"]);

/** To add one of these is to send it. */
const MESSAGES: ReadonlySet<string> = new Set(["message", "reaction", "reply"]);
const DELIVERS: ReadonlySet<string> = new Set(["add", "create", "make", "insert", "append", "schedule", "leave"]);

const CHATS: ReadonlySet<string> = new Set(["channel", "chat", "conversation", "dm", "group"]);

/** Things that change their own state when started, and run nothing that they are given: a timer, a vacuum, a song. */
const isStarted = (noun: string): boolean =>
  STARTED.has(noun) || ["device", "music", "video"].includes(familyOfNoun(noun) ?? "");
const STARTED: ReadonlySet<string> = new Set(
  "timer stopwatch countdown vacuum mower washer dryer dishwasher oven cleaning playback playing media recording".split(
    " ",
  ),
);

/** With one of these, the other nouns only say what it works on: `start_video_pipeline`. */
const isRun = (noun: string): boolean =>
  RUN.has(noun) || ["server", "shell", "database", "repository"].includes(familyOfNoun(noun) ?? "");
const RUN: ReadonlySet<string> = new Set(
  "pipeline job process workflow build program application app worker daemon".split(" "),
);

const PREPOSITIONS: ReadonlySet<string> = new Set(
  "to from in into on onto of for with by via as at and or using through , ( )".split(" "),
);

/** @param words after a verb. */
export function objectOf(words: readonly string[]): string | undefined {
  const end = words.findIndex((word) => PREPOSITIONS.has(word));
  const object = (end < 0 ? words : words.slice(0, end)).at(-1);
  return object === undefined ? undefined : singular(object);
}

/** These are also goods and machines, which are given back or go back. */
const GOODS: ReadonlySet<string> = new Set(["device", "order", "product", "ride"]);

const isData = (noun: string): boolean =>
  DATA.has(noun) || OTHERS_TEXT.has(noun) || (originOfNoun(noun) !== undefined && !GOODS.has(familyOfNoun(noun) ?? ""));

/** The people who get a result in any case. */
const CALLERS: ReadonlySet<string> = new Set("user caller client model agent assistant you".split(" "));

/** "Returns the vacuum to its base", "reports a defect to maintenance": it goes to a person or to a place. */
function goesSomewhere(words: readonly string[]): boolean {
  const at = words.indexOf("to");
  const [first = "", second = ""] = words.slice(at + 1).map(singular);
  return at >= 0 && !CALLERS.has(first) && !CALLERS.has(second);
}

/** Whether the words after "returns" or "reports" are a result: not if they go somewhere, or if no word says that they are one. */
export function givesResult(words: readonly string[], readsByName: boolean): boolean {
  const near = words.slice(0, 9);
  return !goesSomewhere(near) && (readsByName || near.map(singular).some(isData));
}

/** "Reports data by email", "a message as spam", "a user for review": to a person, though it does not say to whom. */
export const isReported = (words: readonly string[]): boolean =>
  words.slice(0, 9).some((word) => ["by", "via", "as", "for"].includes(word));

const CHANNELS: ReadonlySet<string> = new Set(
  "customer email mail sms ticket forum post message review comment letter".split(" "),
);

/** "Use this to answer questions about the house": questions of the user, who gets the answer in any case. */
export function answersUser(words: readonly string[]): boolean {
  const near = words.slice(0, 7).map(singular);
  const isPlural = words.slice(0, 3).some((word) => word === "questions" || word === "queries");
  return isPlural && !isOthers(near) && !near.some((word) => CHANNELS.has(word));
}

/** "Questions of journalists", "about the house from guests", but not "about the state of the house". */
function isOthers(near: readonly string[]): boolean {
  const about = near.findIndex((word) => ["about", "on", "regarding", "concerning"].includes(word));
  return near.some((word, at) => {
    const isAsker = word === "from" || word === "for" || word === "by" || (word === "of" && (about < 0 || at < about));
    return isAsker && !CALLERS.has(near[at + 1] ?? "") && !CALLERS.has(near[at + 2] ?? "");
  });
}

/** "Run a read-only SQL query". An argument that takes code still says more. */
export const runsReadOnly = (rest: readonly string[]): boolean =>
  rest.slice(0, 3).includes("read-only") &&
  ["query", "search", "statement", "transaction"].includes(objectOf(rest) ?? "");
