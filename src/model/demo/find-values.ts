/** The values that a text holds, by kind, each in the order in which it stands. Pure. */
import { latePattern } from "../../lib/once.ts";

export interface Values {
  readonly text: string;
  /** A JSON object written out in the text. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** What stands in quotes, or in backticks. */
  readonly quoted: readonly string[];
  readonly code: readonly string[];
  readonly urls: readonly string[];
  readonly emails: readonly string[];
  readonly paths: readonly string[];
  readonly dates: readonly string[];
  readonly ids: readonly string[];
  readonly numbers: readonly number[];
  readonly hashtags: readonly string[];
  /** The text without the values above, numbers aside: what is left to read as words. */
  readonly prose: string;
  /** The tool that they are for: a `path` means a directory to one and a file to another. */
  readonly tool?: string;
}

const CODE = /`([^`\n]+)`/g;
const QUOTED = latePattern(
  String.raw`"([^"\n]*)"|“([^”\n]*)”|«([^»\n]*)»|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])`,
  "gu",
);
const URLS = /https?:\/\/[^\s"'`<>)\]]*[^\s"'`<>)\].,;:!?]/g;
const EMAILS = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const DATES = /\b\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?\b/g;
const IDS = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|#\d+\b|\b[a-z]+[-_]\d+\b/gi;
const TOKENS = /[^\s"'`<>()[\],;:!?]+/g;
/** Names with slashes between them, a name with an ending that files have, or one of the names that files have. */
const PATHS = [
  /^(?:~|\.{1,2})?(?:\/[\w.@*-]+)+\/?$/,
  /^(?!(?:and\/or|yes\/no|n\/a)$)(?:[\w.@*-]+\/)+[\w.@*-]*$/i,
  /^[\w*.-]+\.(?:[cm]?[jt]sx?|jsonc?|md|txt|py|rs|go|java|rb|php|c|h|cpp|hpp|cs|sh|toml|ya?ml|html?|css|csv|pdf|sql|xml|log|env|lock|ini|png|jpe?g)$/,
  /^(?:Dockerfile|Makefile|LICENSE|\.env|\.gitignore|\.npmrc)$/,
];
const NUMBERS = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)/g;
const HASHTAGS = latePattern(String.raw`(?<!\S)#(\p{L}[\p{L}\p{N}_-]*)`, "gu");

export function findValues(text: string): Values {
  const json = findJson(text);
  let rest = json ? text.replace(json.source, " ") : text;
  const take = (pattern: RegExp): string[] => {
    const found = [...rest.matchAll(pattern)].map(([whole, ...groups]) => groups.find((g) => g !== undefined) ?? whole);
    rest = rest.replace(pattern, " ");
    return found;
  };
  const code = take(CODE);
  const quoted = take(QUOTED());
  const urls = take(URLS);
  const emails = take(EMAILS);
  const dates = take(DATES);
  const ids = take(IDS).map((id) => id.replace(/^#/, ""));
  const paths: string[] = [];
  // Token by token: one pattern over the whole text would take quadratic time on a long run of letters.
  rest = rest.replace(TOKENS, (token) => {
    const path = token.replace(/\.$/, "");
    if (!isPath(path)) return token;
    paths.push(path);
    return " ";
  });
  const hashtags = take(HASHTAGS());
  const numbers = (rest.match(NUMBERS) ?? []).map(Number);
  const within = [...code, ...quoted];
  const whole = (pattern: RegExp) => within.filter((value) => value.replace(pattern, "") === "");
  return {
    text,
    ...(json ? { json: json.value } : {}),
    quoted,
    code,
    urls: [...urls, ...whole(URLS)],
    emails: [...emails, ...whole(EMAILS)],
    paths: [...paths, ...within.filter(isPath)],
    dates: [...dates, ...whole(DATES)],
    ids,
    numbers,
    hashtags,
    prose: rest,
  };
}

const isPath = (token: string) => token.length < 256 && PATHS.some((pattern) => pattern.test(token));

/** The first `{…}` that is JSON: from a brace to the one that closes it, braces in strings aside. */
function findJson(text: string): { readonly source: string; readonly value: Record<string, unknown> } | undefined {
  let tries = 0;
  for (let start = text.indexOf("{"); start >= 0 && tries < 20; start = text.indexOf("{", start + 1), tries++) {
    const source = text.slice(start, endOfObject(text, start));
    try {
      return { source, value: JSON.parse(source) as Record<string, unknown> };
    } catch {
      // No JSON: code, or prose.
    }
  }
  return undefined;
}

function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth++;
    else if (token === "}" && --depth === 0) return start + index + 1;
  }
  return text.length;
}
