/** Patterns that run in linear time (RE2): a policy's or a client's regex cannot be made to hang by a text. Pure. */
import { RE2JS } from "re2js";
import { err, ok, type Result } from "../lib/result.ts";

export interface LinearPattern {
  test(text: string): boolean;
}

/** Longer ones are programs, not patterns; RE2 itself bounds what a short one can unfold to. */
const maxPatternLength = 2_000;

/**
 * Reads ECMAScript's spelling (`\uXXXX`, `(?<name>`, `\cX`). Look-around and back references do not exist in RE2:
 * they are an error, since a pattern that is read as something else would guard nothing.
 */
export function compilePattern(source: string, options: { ignoreCase?: boolean } = {}): Result<LinearPattern, string> {
  if (source.length > maxPatternLength) return err(`is longer than ${maxPatternLength} characters`);
  try {
    return ok(RE2JS.compile(RE2JS.translateRegExp(source), options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (error) {
    return err(error instanceof Error ? error.message : "is not RE2 syntax");
  }
}

/** Many patterns as one, so that a text is read once. Throws on a pattern that `compilePattern` would refuse. */
export function compileAny(sources: readonly string[], options: { ignoreCase?: boolean } = {}): LinearPattern {
  const joined = sources.map((source) => `(?:${RE2JS.translateRegExp(source)})`).join("|");
  return RE2JS.compile(joined, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
}
