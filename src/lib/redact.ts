/**
 * Removes the values that a tool's `redact` names from a call's arguments, before anything is written. Pure.
 * Source: reference/intent-detection-and-safe-tools.md (`sensitive_params`), made to reach nested values.
 *
 * - A plain name (`content`) redacts that property at any depth, in any case, with any blanks, `_` and `-` in it: a secret does not become
 *   public by being nested, or under a name that a model misspells.
 * - In a record, a name that the tool's schema does not know is redacted with its value if a redacted name is a part of it: `pins`,
 *   `the-pin`, and `pin_1234`, which holds the value itself. The user who is asked still sees these.
 * - A dotted path (`user.token`) or a JSON pointer (`/user/token`) redacts from the root down. `*` stands for any one
 *   member. Array indices may be omitted: `items.token` redacts it in every item, `items.0.token` in the first only.
 * - A name that itself holds a dot is redacted at any depth too: if the two readings differ, both are redacted.
 */
import { pointerKeys } from "./json/json-value.ts";
import { foldKey } from "./names.ts";
import { unique } from "./unique.ts";

/** Replaces a redacted value in a record. */
export const redacted = "[redacted]";

/** Deeper values are redacted whole. Well below `maxJsonDepth`, so that a record can always be sealed. */
const maxDepth = 256;

/**
 * @returns a copy, or the arguments themselves if nothing is named. Named objects and arrays are redacted whole.
 * @param keeps exempts a value under a named property.
 */
export function redactArguments(
  args: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  keeps: (value: unknown) => boolean = () => false,
): Readonly<Record<string, unknown>> {
  if (paths.length === 0) return args;
  return redactMembers(args, { ...targetsOf(paths), keeps }, 0);
}

/** Which names a record may hold. */
export interface RecordedNames {
  /** Those of the tool's schema, at any depth; undefined if it has none. */
  readonly known: ReadonlySet<string> | undefined;
  /** The tool is not known: any other name may hold a value. */
  readonly only?: boolean;
}

/** As `redactArguments`, for a record. */
export function redactForRecord(
  args: Readonly<Record<string, unknown>>,
  paths: readonly string[],
  { known, only = false }: RecordedNames,
): Readonly<Record<string, unknown>> {
  if (paths.length === 0) return args;
  const parts = unique(paths.map((path) => nameKey(segmentsOf(path).at(-1) ?? path))).filter((part) => part !== "*");
  const isHidden = (key: string): boolean =>
    known?.has(key) !== true && (only || parts.some((part) => holdsPart(key, part, known !== undefined)));
  return redactMembers(args, { ...targetsOf(paths), keeps: () => false, isHidden }, 0);
}

/** If no schema says which names are made up, a short name counts only as a whole word: `shipping` holds no `pin`. */
function holdsPart(key: string, part: string, anywhere: boolean): boolean {
  const folded = nameKey(key);
  if (folded === part || part === "") return false;
  if (anywhere || part.length >= LONG_PART) return folded.includes(part);
  const words = key.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.map(nameKey).some((word) => word === part || word === `${part}s`);
}
const LONG_PART = 5;

const nameKey = (name: string): string => foldKey(name).replace(/[\s_-]+/g, "");

const targetsOf = (paths: readonly string[]) => ({
  names: new Set(paths.filter((path) => !path.startsWith("/")).map(nameKey)),
  routes: new Set(paths.flatMap(routeOf)),
});

/** The rest of a path. Tails are shared objects, so a set of them is never larger than the given paths. */
interface Route {
  readonly head: string;
  readonly tail: Route | null;
}

interface Targets {
  readonly names: ReadonlySet<string>;
  readonly routes: ReadonlySet<Route>;
  readonly keeps: (value: unknown) => boolean;
  /** Replaces a name that is redacted too. */
  readonly isHidden?: (key: string) => boolean;
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
  let hidden = 0;
  // `fromEntries` defines properties, so that a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]): [string, unknown] => {
      const { reached, routes } = follow(targets.routes, key);
      if (reached || targets.names.has(nameKey(key))) return [key, targets.keeps(value) ? value : redacted];
      if (targets.isHidden?.(key)) {
        hidden += 1;
        return [hidden === 1 ? redacted : `${redacted} ${hidden}`, redacted];
      }
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

/** The rests of the routes through this member; `reached` if one ends at it. */
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
  names: RecordedNames = { known: undefined },
): Readonly<Record<string, unknown>> {
  const redacted = redactForRecord(value, redact, names);
  const text = JSON.stringify(redacted);
  if (text.length <= MAX_RECORDED) return redacted;
  return { [CUT]: { characters: text.length, beginning: text.slice(0, KEPT_OF_LONGER) } };
}

/** Whether the record was cut. An argument with the name of the mark counts as cut, too. */
export const isCutShort = (recorded: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(recorded, CUT);
