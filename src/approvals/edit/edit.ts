/** What a person changes in a call before it runs. Pure. */

import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { redactArguments, redacted } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";

/** Of the arguments' own members: a nested value is given whole. */
export interface Changes {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The arguments as they will be. Where the policy redacts, a value that was sent back as `[redacted]` keeps the original
 * one: whoever edits was not shown it.
 * @param redact names and paths, as the policy gives them.
 * @returns what is wrong, for a person.
 */
export function applyChanges(
  original: Arguments,
  changes: Changes,
  redact: readonly string[],
): Result<Record<string, unknown>, string> {
  // To the client that runs the call such a key may be no key at all.
  if (holdsProto(changes.set)) return err("`__proto__` cannot be a field");
  const members = new Map<string, unknown>(Object.entries(original));
  for (const name of changes.unset) members.delete(name);
  for (const [name, value] of Object.entries(changes.set)) members.set(name, value);
  const edited = Object.fromEntries(members);
  const restored = restore(
    { value: edited, shown: redactArguments(unmarked(edited) as Arguments, redact) },
    { value: original, shown: redactArguments(original, redact) },
    "",
  );
  if (!restored.ok) return restored;
  return ok(restored.value as Record<string, unknown>);
}

function holdsProto(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsProto);
  return isObject(value) && (Object.hasOwn(value, "__proto__") || Object.values(value).some(holdsProto));
}

/** Without the mark: then it stands only where the policy redacts. */
function unmarked(value: unknown): unknown {
  if (value === redacted) return "";
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unmarked(part)]));
}

/** A value beside what the policy lets be shown of it. */
interface Seen {
  readonly value: unknown;
  readonly shown: unknown;
}

const MISSING: Seen = { value: undefined, shown: undefined };

function restore(edited: Seen, original: Seen, path: string): Result<unknown, string> {
  if (edited.shown === redacted) {
    if (edited.value !== redacted) return ok(edited.value);
    if (original.value !== undefined) return ok(original.value);
    return err(`\`${path.slice(0, 100)}\` must be written out: there is no hidden value for it`);
  }
  if (Array.isArray(edited.value)) return restoreItems(edited, original, path);
  if (!isObject(edited.value)) return ok(edited.value);
  const out: [string, unknown][] = [];
  for (const name of Object.keys(edited.value)) {
    const restored = restore(memberOf(edited, name), memberOf(original, name), path === "" ? name : `${path}.${name}`);
    if (!restored.ok) return restored;
    out.push([name, restored.value]);
  }
  return ok(Object.fromEntries(out));
}

/**
 * Items may have moved: one that holds `[redacted]` takes the hidden values of the item that looks the same, else of the
 * one at its place, where that one is in no other place and the list is as long as it was.
 */
function restoreItems(edited: Seen, original: Seen, path: string): Result<unknown, string> {
  const items = itemsOf(edited);
  const old = itemsOf(original);
  const sources = matchItems(items, old);
  const out: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const restored = restore(item, sources[index] ?? MISSING, `${path}.${index}`);
    if (!restored.ok) return restored;
    out.push(restored.value);
  }
  return ok(out);
}

function matchItems(items: readonly Seen[], old: readonly Seen[]): readonly (Seen | undefined)[] {
  const free = new Map<string, number[]>();
  for (const [index, item] of old.entries()) {
    const key = canonicalJson(item.shown);
    free.set(key, [...(free.get(key) ?? []), index]);
  }
  const taken = new Set<number>();
  const take = (item: Seen, index: number): number | undefined => {
    const places = free.get(canonicalJson(item.value)) ?? [];
    const place = places.includes(index) ? index : places.find((one) => !taken.has(one));
    if (place !== undefined) taken.add(place);
    return place;
  };
  const places = items.map(take);
  return places.map((place, index) => {
    if (place !== undefined) return old[place];
    return items.length === old.length && !taken.has(index) ? old[index] : undefined;
  });
}

const itemsOf = ({ value, shown }: Seen): readonly Seen[] =>
  Array.isArray(value) && Array.isArray(shown)
    ? value.map((item: unknown, index) => ({ value: item, shown: shown[index] as unknown }))
    : [];

const memberOf = ({ value, shown }: Seen, name: string): Seen =>
  isObject(value) && isObject(shown) && Object.hasOwn(value, name)
    ? { value: value[name], shown: shown[name] }
    : MISSING;
