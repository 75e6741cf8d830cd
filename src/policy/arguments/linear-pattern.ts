/**
 * Compiles patterns in RE2 syntax: no text can make a policy's or a client's regex hang. Pure.
 *
 * RE2 is linear in the text, but the factor is the size of the pattern, and `.{1000}` is short: two kilobytes of that and 64 KB
 * of text take 40 seconds. So the size is bounded before the pattern is compiled, and each step is paid from a budget.
 */
import { type Matcher, RE2JS } from "re2js";
import { boundedCache, CACHE_BYTES } from "../../lib/bounded-cache.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { WorkBudget } from "../../lib/work-budget.ts";

export interface LinearPattern {
  /** Approximate memory. */
  readonly bytes: number;
  readonly groupCount: number;
  /** Group numbers by name. */
  readonly namedGroups: Readonly<Record<string, number>>;
  /** Throws `WorkSpent`. */
  test(text: string, work: WorkBudget): boolean;
  /** The matches from left to right. Each is paid for: to find the position costs far more than to test. */
  matches(text: string, work: WorkBudget): Generator<Matcher>;
}

/** A longer pattern is a program. */
const MAX_LENGTH = 2_000;
/** The largest honest pattern we know has 200. */
const MAX_SIZE = 2_000;

interface CompileOptions {
  readonly ignoreCase?: boolean;
}

/**
 * Reads ECMAScript's spelling (`\uXXXX`, `(?<name>`, `\cX`). Look-around and back references do not exist in RE2:
 * they are an error, since a pattern that is read as something else would guard nothing. Throws `WorkSpent`.
 */
export function compilePattern(
  source: string,
  work: WorkBudget,
  options: CompileOptions = {},
): Result<LinearPattern, string> {
  if (source.length > MAX_LENGTH) return err(`is longer than ${MAX_LENGTH} characters`);
  // The library reads it as the text `k<name>`.
  if (namedBackReference.test(source)) return err(explain("`\\k"));
  const translated = RE2JS.translateRegExp(source);
  const size = patternSize(translated);
  if (size > MAX_SIZE) return err(`has more than ${MAX_SIZE} parts when its counted repetitions are written out`);
  work.spend(20 * size + classesCost(translated));
  try {
    return ok(linear(RE2JS.compile(translated, flagsOf(options))));
  } catch (error) {
    return err(explain(error instanceof Error ? error.message : "is not RE2 syntax"));
  }
}

/** A pattern that was admitted before, as `RE2JS.translateRegExp` gave it. Throws on one that `compilePattern` would refuse. */
export const compileAdmitted = (translated: string, options: CompileOptions = {}): LinearPattern =>
  linear(RE2JS.compile(translated, flagsOf(options)));

const namedBackReference = /(?:^|[^\\])(?:\\\\)*\\k</;

const ofPart = "as part of the pattern, and take what you want by a group";
const backReference = "back references, write the repeated text out";

/** The syntax of other engines that RE2 lacks, each with what to write instead. */
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

/** @param message of the library, which cites the part that it cannot read. */
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
export function compileAny(sources: readonly string[], options: CompileOptions & BuiltIn = {}): LinearPattern {
  const joined = sources.map((source) => `(?:${RE2JS.translateRegExp(source)})`).join("|");
  return linear(RE2JS.compile(joined, flagsOf(options)), options);
}

const flagsOf = ({ ignoreCase }: CompileOptions): number => (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);

/** A class such as `\p{L}` has hundreds of ranges, which ignoring case reads one by one. */
function classesCost(source: string): number {
  const classes = source.split(/\\[pP]/).length - 1;
  return classes * (source.includes("(?i") ? 1_000 : 300);
}

interface BuiltIn {
  /** A pattern of the gateway itself: there are few, so their tables are not bounded and their work is not paid for. */
  readonly builtIn?: boolean;
}

/** Limit of the table that the engine builds while it reads; beyond it the table is emptied. */
const TABLE_BYTES = 512 * 1024;
/** Limit of the table that stays between two texts. */
const KEPT_BYTES = 32 * 1024;
/** The patterns with a table, by their number. An evicted pattern empties its table. */
const tables = boundedCache<() => void>({ maxBytes: CACHE_BYTES.patternTables, pushedOut: (empty) => empty() });
let patterns = 0;

function linear(regex: RE2JS, { builtIn = false }: BuiltIn = {}): LinearPattern {
  const size = regex.programSize();
  const table = lazyTable(regex, size, builtIn);
  return {
    bytes: programBytes(size),
    groupCount: regex.groupCount(),
    namedGroups: regex.namedGroups(),
    test(text, work) {
      work.spend(builtIn ? 1 : 1 + text.length / 10);
      return table(work, () => regex.test(text));
    },
    *matches(text, work) {
      const matcher = regex.matcher(text);
      for (let from = 0; ; from = matcher.end()) {
        work.spend(1 + (text.length - from) * size * 0.25);
        if (!matcher.find()) return;
        yield matcher;
      }
    },
  };
}

/** Measured: up to 200 for a part, and 8,000 for the rest. */
const programBytes = (size: number): number => 10_000 + 250 * size;

/**
 * The engine reads a text by a table of states (a DFA). A step in the table is almost free. Any other step costs as much as
 * the pattern has active parts, and is paid for. The engine has a slower mode for patterns whose table grows with each
 * character. The work of that mode cannot be counted, so it is disabled.
 *
 * The package declares `re2Input` and its members but does not document them: a test fails when a new version changes them.
 */
function lazyTable(regex: RE2JS, size: number, builtIn: boolean): <T>(work: WorkBudget, read: () => T) => T {
  patterns += 1;
  const key = String(patterns);
  let held = 0;
  let paying: WorkBudget | undefined;
  let dfa: typeof regex.re2Input.dfa | undefined;
  const make = () => {
    const made = regex.re2Input.dfa;
    const step = made.step.bind(made);
    made.step = (state, letter, ...rest) => {
      const known = state.next?.[letter];
      if (known) return known;
      paying?.spend(8 + 1.3 * state.nfaStates.length);
      return step(state, letter, ...rest);
    };
    if (!builtIn) made.stateBudget = made.memBudget = TABLE_BYTES;
    // The engine's own threshold for giving up the table.
    (made.constructor as { PROGRESS_PER_STATE?: number }).PROGRESS_PER_STATE = 0;
    return made;
  };
  const empty = (full: NonNullable<typeof dfa>) => {
    full.clearCache();
    held = 0;
  };
  const keep = (read: NonNullable<typeof dfa>) => {
    const bytes = TABLE_BYTES - read.memBudget;
    if (bytes === held) return;
    held = bytes;
    tables.delete(key);
    if (bytes > KEPT_BYTES) empty(read);
    // The pattern counts too: this cache may keep it longer than its policy.
    else tables.set(key, () => empty(read), bytes + programBytes(size));
  };
  return (work, read) => {
    dfa ??= make();
    if (dfa.stateCount === 0) work.spend(2 * size);
    paying = work;
    try {
      return read();
    } finally {
      paying = undefined;
      if (!builtIn) keep(dfa);
    }
  };
}

/** Tokens with a structure of their own; any other character is an atom. */
const TOKENS =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w*:\]|\\[\s\S]|[^\]\\])*\]?|\{(\d+)(?:,(\d*))?\}|[\s\S]/g;

interface Group {
  size: number;
  /** The size of its last part, which a repetition repeats. */
  last: number;
}

/** @returns about the number of instructions, never fewer than half of them. @param source in RE2 syntax. */
export function patternSize(source: string): number {
  const open: Group[] = [{ size: 0, last: 0 }];
  for (const [token, least, most] of source.matchAll(TOKENS)) {
    const group = open.at(-1) as Group;
    if (token === "(") open.push({ size: 2, last: 0 });
    else if (token === ")" && open.length > 1) {
      open.pop();
      const outer = open.at(-1) as Group;
      outer.size += group.size;
      outer.last = group.size;
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most || 0), 1);
      group.size += group.last * (times - 1);
      group.last *= times;
    } else {
      group.last = token.startsWith("\\Q") ? token.length : 1;
      group.size += group.last;
    }
  }
  return open.reduce((sum, { size }) => sum + size, 0);
}
