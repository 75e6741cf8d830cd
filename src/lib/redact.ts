/**
 * Removes the values that a tool's `redact` names from a call's arguments, before anything is written. Pure.
 * Source: reference/intent-detection-and-safe-tools.md (`sensitive_params`), made to reach nested values.
 *
 * - A plain name (`content`) redacts that property at any depth, in any case: a secret does not become public by being nested, or
 *   under a name that a model misspells.
 * - A dotted path (`user.token`) or a JSON pointer (`/user/token`) redacts from the root down. `*` stands for any one
 *   member. Array indices may be omitted: `items.token` redacts it in every item, `items.0.token` in the first only.
 * - A name that itself holds a dot is redacted at any depth too: where the two readings differ, both are redacted.
 */
import { pointerKeys } from "./json/json-value.ts";
import { foldKey } from "./names.ts";

/** Replaces a redacted value in a record. */
export const redacted = "[redacted]";

/** Deeper values are redacted whole. Well below `maxJsonDepth`, so that a record can always be sealed. */
const maxDepth = 256;

/**
 * @returns a copy, or the arguments themselves where nothing is named. Named objects and arrays are redacted whole.
 * @param keeps exempts a value under a named property.
 */
export function redactArguments(
  args: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  keeps: (value: unknown) => boolean = () => false,
): Readonly<Record<string, unknown>> {
  if (paths.length === 0) return args;
  const names = new Set(paths.filter((path) => !path.startsWith("/")).map(foldKey));
  return redactMembers(args, { names, routes: new Set(paths.flatMap(routeOf)), keeps }, 0);
}

/** The rest of a path. Tails are shared objects, so a set of them cannot outgrow the given paths. */
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
      if (reached || targets.names.has(foldKey(key))) return [key, targets.keeps(value) ? value : redacted];
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

/** The rests of the routes through this member; `reached` where one ends at it. */
function follow(routes: ReadonlySet<Route>, key: string): { reached: boolean; routes: ReadonlySet<Route> } {
  const through = [...routes].filter(({ head }) => head === key || head === "*");
  return {
    reached: through.some(({ tail }) => tail === null),
    routes: new Set(through.flatMap(({ tail }) => (tail === null ? [] : [tail]))),
  };
}

/** UTF-16 units of JSON. D1 refuses rows of 2 MB, and a refused row would block all later ones. */
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

/** Whether the record was cut. An argument with the name of the mark counts as cut, too. */
export const isCutShort = (recorded: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(recorded, CUT);
