/**
 * Whose words are in a user's message, and the user's text in it. Pure.
 *
 * | text | whose | read by |
 * |---|---|---|
 * | reminders, open files, documents between known tags | the client's | `withoutClientText` |
 * | what the policy's `detection.extract` leaves out | the frontend's | `extractedText` |
 * | the rest is the *user's text*, `userText`; in it: | | |
 * | fenced code, quoted lines, mails, chats, files | pasted by the user | `withoutPasted`, `pastedBlocksIn` |
 * | quotations, words behind "she wrote:" or "translate:" | quoted by the user | `quotedMaterialIn`, `dictatedIn` |
 * | what is left | the user's own words | `ownWords`, `typedWords`, `readUserWords`, `ownSentences` |
 *
 * A pasted document may hold the frontend's own marks, to pass its words off as the user's. So if the pattern of `detection.extract` matches
 * in several places with different texts, none of them can be trusted, and nothing is read.
 */
import { RE2JS } from "re2js";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { type WorkBudget, WorkSpent, withinBudget } from "../../lib/work-budget.ts";
import { compileAdmitted } from "../../policy/arguments/linear-pattern.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { GAP } from "../lexical/fold.ts";
import { withoutClientText } from "./without-client-text.ts";

/** The user's text in the content of a user message; undefined if the message holds only the client's words. */
export function userText(policy: CompiledPolicy, content: unknown, work: WorkBudget): string | undefined {
  const text = withoutClientText(content);
  return text === undefined ? undefined : extractedText(policy, text, work);
}

/** Throws `WorkSpent`. */
type Extractor = (message: string, work: WorkBudget) => string;
const extractors = new WeakMap<CompiledPolicy, Extractor>();

/**
 * UTF-16 units of each end of a longer message that the pattern is tried on: RE2 takes up to 3 µs a unit to find its
 * groups, and a request has megabytes.
 */
const END = 4_000;
/** Matches that are compared. */
const MAX_MATCHES = 8;

/**
 * @returns the group `text` of the pattern's match, else its last group, else the match. Without a match the whole message, but "" if it is
 * too long to be read whole, since the mark may be in its middle. "" if the work budget is spent.
 */
export function extractedText(policy: CompiledPolicy, message: string, work: WorkBudget): string {
  const { extract } = policy.detection;
  if (extract === undefined) return message;
  const known = extracted.get(work) ?? new Map<string, string>();
  extracted.set(work, known);
  const text =
    known.get(message) ??
    withinBudget(
      () => extractorOf(policy, extract)(message, work),
      () => "",
    );
  known.set(message, text);
  return text;
}

/** By the budget and the message: a turn asks several times, and pays once. */
const extracted = new WeakMap<WorkBudget, Map<string, string>>();

function extractorOf(policy: CompiledPolicy, source: string): Extractor {
  const extractor = extractors.get(policy) ?? makeExtractor(source);
  extractors.set(policy, extractor);
  return extractor;
}

const pasted = boundedCache<boolean>({ maxBytes: CACHE_BYTES.pasted });

/**
 * Whether the policy's pattern leaves out some of the message: that part is untrusted text. Also true if the work budget is spent.
 */
export function holdsFrontendText(policy: CompiledPolicy, message: string, work: WorkBudget): boolean {
  const { extract } = policy.detection;
  if (extract === undefined) return false;
  // Each request brings the whole conversation.
  const key = sha256Hex(`${extract.length} ${extract} ${message.toWellFormed()}`);
  const known = pasted.get(key);
  if (known !== undefined) return known;
  try {
    const holds = extractorOf(policy, extract)(message, work).trim() !== message.trim();
    pasted.set(key, holds, 0);
    return holds;
  } catch (error) {
    if (error instanceof WorkSpent) return true;
    throw error;
  }
}

function makeExtractor(source: string): Extractor {
  const regex = compileAdmitted(RE2JS.translateRegExp(source));
  const isNamed = Object.hasOwn(regex.namedGroups, "text");
  return (message, work) => {
    const isLong = message.length > 2 * END;
    const read = isLong ? `${message.slice(0, END)}\n${GAP}\n${message.slice(-END)}` : message;
    if (!regex.test(read, work)) return isLong ? "" : message;
    const texts = new Set<string>();
    let count = 0;
    for (const matcher of regex.matches(read, work)) {
      const named = isNamed ? matcher.group("text") : undefined;
      const text = named ?? matcher.group(regex.groupCount) ?? "";
      // A pattern that may match nothing does so behind every match.
      if (count === 0 || matcher.end() > matcher.start()) texts.add(text.trim());
      count += 1;
      if (count === MAX_MATCHES || texts.size > 1) break;
    }
    const [only = ""] = texts;
    return texts.size === 1 ? only : "";
  };
}
