/** Applies a person's changes to a call's arguments before it runs. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { propertyNames } from "../../lib/json/property-names.ts";
import { redactArguments, redacted, redactForRecord } from "../../lib/redact.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, withinBudget } from "../../lib/work-budget.ts";
import type { Answer, Approval } from "../approval.ts";
import { callDigest } from "../call-digest.ts";
import type { Disclosure } from "../disclosure/disclosed.ts";
import { fillDefaults } from "./fill-defaults.ts";

/** Changes to the top-level members of the arguments: a nested value is replaced as a whole. */
export interface Changes {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Makes the new arguments. If the policy redacts a value and it was sent back as `[redacted]`, the original value stays: the person did
 * not see it.
 * @param redact names and paths, as the policy gives them.
 * @returns the result, or the error for a person.
 */
export function applyChanges(
  original: Arguments,
  changes: Changes,
  redact: readonly string[],
): Result<Record<string, unknown>, string> {
  // The client that runs the call may not treat such a key as a key.
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

/** Removes the redaction mark, so that afterwards only the policy's redaction sets it. */
function unmarked(value: unknown): unknown {
  if (value === redacted) return "";
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, unmarked(part)]));
}

/** A value together with its redacted form. */
interface ValueWithRedaction {
  readonly value: unknown;
  readonly shown: unknown;
}

const MISSING: ValueWithRedaction = { value: undefined, shown: undefined };

function restore(edited: ValueWithRedaction, original: ValueWithRedaction, path: string): Result<unknown, string> {
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
 * Items may be reordered: an item with `[redacted]` takes the hidden values of the original item that looks the same, else of the one
 * with the same index, if no other item took that one and the list has its old length.
 */
function restoreItems(edited: ValueWithRedaction, original: ValueWithRedaction, path: string): Result<unknown, string> {
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

function matchItems(
  items: readonly ValueWithRedaction[],
  old: readonly ValueWithRedaction[],
): readonly (ValueWithRedaction | undefined)[] {
  const free = new Map<string, number[]>();
  for (const [index, item] of old.entries()) {
    const key = canonicalJson(item.shown);
    free.set(key, [...(free.get(key) ?? []), index]);
  }
  const used = new Set<number>();
  const sources = items.map((item, index) => {
    const equal = free.get(canonicalJson(item.value)) ?? [];
    const source = equal.includes(index) ? index : equal.find((one) => !used.has(one));
    if (source !== undefined) used.add(source);
    return source;
  });
  return sources.map((source, index) => {
    if (source !== undefined) return old[source];
    return items.length === old.length && !used.has(index) ? old[index] : undefined;
  });
}

const itemsOf = ({ value, shown }: ValueWithRedaction): readonly ValueWithRedaction[] =>
  Array.isArray(value) && Array.isArray(shown)
    ? value.map((item: unknown, index) => ({ value: item, shown: shown[index] as unknown }))
    : [];

const memberOf = ({ value, shown }: ValueWithRedaction, name: string): ValueWithRedaction =>
  isObject(value) && isObject(shown) && Object.hasOwn(value, name)
    ? { value: value[name], shown: shown[name] }
    : MISSING;

/** UTF-16 units of JSON: the most that a user's object stores for one call. */
const MAX_ARGUMENTS = 512 * 1024;

interface EditContext {
  readonly redact: readonly string[];
  /** The schema of the arguments; null if there is none. */
  readonly schema: unknown;
  readonly work: WorkBudget;
}

/**
 * Makes the arguments that would run, with the schema's defaults.
 * @returns the result, or the error for a person.
 */
export function editArguments(
  approval: Pick<Approval, "arguments">,
  changes: Changes,
  { redact, schema, work }: EditContext,
): Result<Arguments, string> {
  const merged = applyChanges(JSON.parse(approval.arguments) as Arguments, changes, redact);
  if (!merged.ok) return merged;
  const filled = schema == null ? ok(merged.value) : filledIn(schema, merged.value, work);
  if (!filled.ok) return filled;
  const args = filled.value;
  if (JSON.stringify(args).length <= MAX_ARGUMENTS) return ok(args);
  return err(`the arguments as edited are longer than ${MAX_ARGUMENTS} characters: send shorter ones`);
}

const filledIn = (schema: unknown, args: Arguments, work: WorkBudget): Result<Arguments, string> =>
  withinBudget<Result<Arguments, string>>(
    () => ok(fillDefaults(schema, args, work)),
    ({ message }) => err(`${message}: send fewer`),
  );

export function editedCall(
  { extra, schema }: Pick<Approval, "extra" | "schema">,
  args: Arguments,
  redact: readonly string[],
  disclosure: Disclosure,
): NonNullable<Answer["edited"]> {
  return {
    arguments: JSON.stringify(args),
    digest: callDigest(args, extra),
    recorded: redactForRecord(args, redact, { known: propertyNames(schema) }),
    disclosure,
  };
}
