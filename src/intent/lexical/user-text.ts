/**
 * The user's own words, where a frontend pastes documents into user messages and the policy says how to tell them apart
 * (`detection.extract`). Pure.
 */
import { RE2JS } from "re2js";
import type { CompiledPolicy } from "../../policy/compile.ts";

type Extractor = (message: string) => string;
const extractors = new WeakMap<CompiledPolicy, Extractor>();

/** @returns the group `text` of the pattern's first match, else its last group, else the match; all of a message that has none. */
export function userTextOf(policy: CompiledPolicy, message: string): string {
  if (policy.detection.extract === undefined) return message;
  const extractor = extractors.get(policy) ?? makeExtractor(policy.detection.extract);
  extractors.set(policy, extractor);
  return extractor(message);
}

function makeExtractor(source: string): Extractor {
  const regex = RE2JS.compile(RE2JS.translateRegExp(source));
  return (message) => {
    const matcher = regex.matcher(message);
    if (!matcher.find()) return message;
    const named = Object.hasOwn(regex.namedGroups(), "text") ? matcher.group("text") : undefined;
    return named ?? matcher.group(matcher.groupCount()) ?? "";
  };
}
