/** Settings that are written as JSON: every error at once, each with its place and what to do, and without the value. Pure. */
import * as z from "zod";
import { once } from "../lib/once.ts";
import { err, ok, type Result } from "../lib/result.ts";
import { didYouMean } from "../lib/text/nearest-name.ts";
import { DAY_MS } from "../lib/time.ts";
import { duration } from "../policy/document/duration-text.ts";

/** @param form how the setting is written, to be put behind "write". */
export function readJsonSetting<S extends z.ZodType>(
  name: string,
  text: string,
  schema: S,
  form: string,
): Result<z.output<S>, readonly string[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err([`${name} is not JSON: write ${form}`]);
  }
  const parsed = schema.safeParse(json, { error: wording });
  if (parsed.success) return ok(parsed.data);
  return err(
    parsed.error.issues.map(({ code, path, message }) => {
      if (path.length > 0) return `${name}: ${path.join(".")}: ${message}`;
      return code === "invalid_type" ? `${name} ${message}: write ${form}` : `${name} ${message}`;
    }),
  );
}

const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${NAMES[issue.expected] ?? issue.expected}, not ${nameOf(issue.input)}`;
    case "unrecognized_keys": {
      const known = issue.inst ? namesIn(issue.inst) : [];
      return issue.keys.map((key) => `has no \`${key}\`${didYouMean(key, known) || ": remove it"}`).join("; ");
    }
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "too_small":
      return issue.origin === "number" ? `must be ${issue.minimum} or more` : "must not be empty";
    case "too_big":
      return `must be ${issue.maximum} or less${issue.origin === "number" ? "" : " long"}`;
    default:
      return undefined;
  }
};

const NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  record: "an object",
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return (Array.isArray(value) ? NAMES.array : NAMES[typeof value]) ?? typeof value;
}

/** The members that an object's schema knows. */
function namesIn({ _zod: { def } }: { readonly _zod: { readonly def: object } }): string[] {
  return "shape" in def && typeof def.shape === "object" && def.shape !== null ? Object.keys(def.shape) : [];
}

/** To be written behind the variable's name. The URL itself may hold a password, so it is not shown. */
export function urlProblem(baseUrl: string): string | undefined {
  const advice = "write an http or https URL, such as https://api.openai.com/v1";
  if (!URL.canParse(baseUrl)) return `is no URL: ${advice}`;
  const { protocol, username, password, search, hash } = new URL(baseUrl);
  if (protocol !== "https:" && protocol !== "http:") return `begins with \`${protocol}\`: ${advice}`;
  if (username !== "" || password !== "") return "holds a user or password: a key belongs into the variable API_KEY";
  if (search !== "" || hash !== "") return "holds a query or fragment, which no path can be put behind: leave it out";
  return undefined;
}

export interface RateLimit {
  readonly max: number;
  readonly windowMs: number;
  /** Each request is counted before it is admitted: none is refused while the window has room. */
  readonly exact?: boolean | undefined;
}

/** Windows are bounded so that a meter's memory is, and so that a mistyped unit shows. */
const MAX_WINDOW_MS = 31 * DAY_MS;
const max = () => z.int("must be a whole number").min(1, "must be at least 1").max(1_000_000_000, "is too large");
const window = () => duration().refine((ms) => ms >= 1_000 && ms <= MAX_WINDOW_MS, "must be from `1s` to `31d`");

/** `{ "max": 600, "window": "1m", "exact": true }` */
export const rateLimitObject = once(() =>
  z
    .strictObject({ max: max(), window: window(), exact: z.boolean().optional() })
    .transform(({ max, window, exact }): RateLimit => ({ max, windowMs: window, ...(exact ? { exact } : {}) })),
);

/** `600/1m`, or `600/1m exact` */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, count, per, exact] = /^(\d{1,10})\/(\S+)( +exact)?$/.exec(text.trim()) ?? [];
  return rateLimitObject().safeParse({ max: Number(count), window: per, exact: exact !== undefined }).data;
}
