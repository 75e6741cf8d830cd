/**
 * The user's own words, where a frontend pastes documents into user messages and the policy has a pattern for them
 * (`detection.extract`). Pure.
 *
 * A document may hold the frontend's own marks, to pass its words off as the user's. So where the pattern matches in several
 * places that do not say the same, none of them can be trusted, and nothing is read.
 */
import { RE2JS } from "re2js";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/digest.ts";
import { type WorkBudget, WorkSpent, withinBudget } from "../../lib/work-budget.ts";
import { compileAdmitted } from "../../policy/arguments/linear-pattern.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { GAP } from "./fold.ts";

/** Throws `WorkSpent`. */
type Extractor = (message: string, work: WorkBudget) => string;
const extractors = new WeakMap<CompiledPolicy, Extractor>();

/**
 * UTF-16 units of each end of a longer message that the pattern is tried on: RE2 takes up to 3 µs a unit to find where its
 * groups are, and a request has megabytes.
 */
const END = 4_000;
/** Matches that are compared. */
const MAX_MATCHES = 8;

/**
 * @returns the group `text` of the pattern's match, else its last group, else the match; all of a message that has none, but
 * nothing of one too long to be read whole: the mark may stand in its middle. Nothing either where it would cost too much.
 */
export function userTextOf(policy: CompiledPolicy, message: string, work: WorkBudget): string {
  if (policy.detection.extract === undefined) return message;
  const known = ofRequest.get(work) ?? new Map<string, string>();
  ofRequest.set(work, known);
  const text = known.get(message) ?? extracted(policy, policy.detection.extract, message, work);
  known.set(message, text);
  return text;
}

/** A turn asks several times about one message, and pays once. */
const ofRequest = new WeakMap<WorkBudget, Map<string, string>>();

const extracted = (policy: CompiledPolicy, pattern: string, message: string, work: WorkBudget): string =>
  withinBudget(
    () => extractorOf(policy, pattern)(message, work),
    () => "",
  );

function extractorOf(policy: CompiledPolicy, source: string): Extractor {
  const extractor = extractors.get(policy) ?? makeExtractor(source);
  extractors.set(policy, extractor);
  return extractor;
}

const pasted = boundedCache<boolean>({ maxBytes: CACHE_BYTES.pasted });

/**
 * Whether some of the message is not the user's, by the policy's pattern: then it holds somebody else's text. Where it
 * would cost too much, the message counts as such.
 */
export function holdsPasted(policy: CompiledPolicy, message: string, work: WorkBudget): boolean {
  const { extract } = policy.detection;
  if (extract === undefined) return false;
  // Asked of a whole conversation, with each of its requests.
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
