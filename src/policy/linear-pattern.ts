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
  // The library reads it as the text `k<name>`.
  if (namedBackReference.test(source)) return err(explain("`\\k"));
  try {
    return ok(RE2JS.compile(RE2JS.translateRegExp(source), options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch (error) {
    return err(explain(error instanceof Error ? error.message : "is not RE2 syntax"));
  }
}

const namedBackReference = /(?:^|[^\\])(?:\\\\)*\\k</;

const ofPart = "as part of the pattern, and take what you want by a group";
const backReference = "back references, write the repeated text out";

/** What other engines have and RE2 does not, with what to write instead. */
const missing: ReadonlyMap<string, string> = new Map([
  ["(?=", `lookahead, write what follows ${ofPart}`],
  ["(?!", "negative lookahead, write what may follow, such as `[^x]`"],
  ["(?<=", `lookbehind, write what comes before ${ofPart}`],
  ["(?<!", "negative lookbehind, write what may come before, such as `(?:^|[^x])`"],
  ["(?>", "atomic groups and needs none, write `(?:`"],
  ["(?#", "comments, leave it out"],
  ["(?(", "conditions, write two patterns"],
  ["(?R", "recursion, write the levels out"],
  ["\\k", backReference],
  ...[..."123456789"].map((digit) => [`\\${digit}`, backReference] as const),
]);

/** @param message of the library: it cites the part that it cannot read. */
function explain(message: string): string {
  const cited = message.slice(message.indexOf("`") + 1);
  for (const [syntax, advice] of missing) {
    if (cited.startsWith(syntax)) return `RE2 has no ${advice} (at \`${syntax}\`)`;
  }
  if (/^(?:[*+?]|\{[\d,]+\})\+/.test(cited))
    return "RE2 has no possessive quantifiers and needs none, leave the `+` out";
  if (message.includes("invalid repeat count"))
    return "a repeat count is at most 1000, nested ones multiplied, with the smaller number first";
  return message
    .replace("error parsing regexp: ", "")
    .replace("invalid or unsupported Perl syntax:", "RE2 does not know");
}

/** Many patterns as one, so that a text is read once. Throws on a pattern that `compilePattern` would refuse. */
export function compileAny(sources: readonly string[], options: { ignoreCase?: boolean } = {}): LinearPattern {
  const joined = sources.map((source) => `(?:${RE2JS.translateRegExp(source)})`).join("|");
  return RE2JS.compile(joined, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
}
