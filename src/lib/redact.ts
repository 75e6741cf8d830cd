/**
 * Takes the values that a tool's `redact` names out of a call's arguments, before anything is written. Pure.
 * Source: reference/intent-detection-and-safe-tools.md (`sensitive_params`), made to reach nested values.
 *
 * - A plain name (`content`) redacts that property at any depth: a secret does not become public by being nested.
 * - A dotted path (`user.token`) or a JSON pointer (`/user/token`) redacts from the root down. `*` stands for any one
 *   member. Arrays are looked through: `items.token` redacts it in every item, `items.0.token` in the first only.
 * - A name that itself holds a dot is redacted at any depth too: where the two readings differ, both are redacted.
 */
import { pointerKeys } from "./json/json-value.ts";

/** Stands in a record in place of what is not told. */
export const redacted = "[redacted]";

/** What lies deeper is redacted whole; with room to spare below `maxJsonDepth`, so that a record can always be sealed. */
const maxDepth = 256;

/**
 * The arguments are not touched: a copy, or they themselves where nothing is named. Whatever stands under a named property
 * goes, objects and arrays whole.
 * @param keeps says of a value under a named property that it is told all the same.
 */
export function redactArguments(
  args: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  keeps: (value: unknown) => boolean = () => false,
): Readonly<Record<string, unknown>> {
  if (paths.length === 0) return args;
  const names = new Set(paths.filter((path) => !path.startsWith("/")));
  return redactMembers(args, { names, routes: new Set(paths.flatMap(routeOf)), keeps }, 0);
}

/** What is left of a path. Tails are shared objects, so that a set of them cannot outgrow the paths given. */
interface Route {
  readonly head: string;
  readonly tail: Route | null;
}

interface Targets {
  readonly names: ReadonlySet<string>;
  readonly routes: ReadonlySet<Route>;
  readonly keeps: (value: unknown) => boolean;
}

function routeOf(path: string): readonly Route[] {
  const route = segmentsOf(path).reduceRight<Route | null>((tail, head) => ({ head, tail }), null);
  return route === null ? [] : [route];
}

function segmentsOf(path: string): readonly string[] {
  if (!path.startsWith("/")) return path.includes(".") ? path.split(".") : [];
  return pointerKeys(path);
}

function redactMembers(object: object, targets: Targets, depth: number): Record<string, unknown> {
  // `fromEntries` defines properties, so that a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, unknown] => {
      const { reached, routes } = follow(targets.routes, key);
      if (reached || targets.names.has(key)) return [key, targets.keeps(value) ? value : redacted];
      return [key, redactValue(value, { ...targets, routes }, depth + 1)];
    }),
  );
}

function redactValue(value: unknown, targets: Targets, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) return redacted;
  if (!Array.isArray(value)) return redactMembers(value, targets, depth);
  return value.map((item: unknown, index) => {
    const { reached, routes } = follow(targets.routes, String(index));
    if (reached) return targets.keeps(item) ? item : redacted;
    return redactValue(item, { ...targets, routes: new Set([...targets.routes, ...routes]) }, depth + 1);
  });
}

/** Where the routes lead that go through this member; `reached` where one ends at it. */
function follow(routes: ReadonlySet<Route>, key: string): { reached: boolean; routes: ReadonlySet<Route> } {
  const through = [...routes].filter(({ head }) => head === key || head === "*");
  return {
    reached: through.some(({ tail }) => tail === null),
    routes: new Set(through.flatMap(({ tail }) => (tail === null ? [] : [tail]))),
  };
}

/** UTF-16 units of JSON. D1 refuses rows of 2 MB, and a refused row would hold up all that come after it. */
const MAX_RECORDED = 32 * 1024;
const CUT = "[cut]";
const KEPT_OF_LONGER = 2 * 1024;

/** @param redact names and paths, as the policy gives them. */
export function recordedArguments(
  value: Readonly<Record<string, unknown>>,
  redact: readonly string[],
): Readonly<Record<string, unknown>> {
  const redacted = redactArguments(value, redact);
  const text = JSON.stringify(redacted);
  if (text.length <= MAX_RECORDED) return redacted;
  return { [CUT]: { characters: text.length, beginning: text.slice(0, KEPT_OF_LONGER) } };
}

/** By its own mark; a tool's argument of that name is taken for it, and not told. */
export const isCutShort = (recorded: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(recorded, CUT);
