/**
 * Finds the role of each argument of a tool, and of each value of a call. Pure.
 *
 * The tool's JSON Schema names the arguments. Other arguments of a call are judged by their names: a client may understand
 * members that its schema does not list. Roles in the policy beat every guess.
 */
import { appliedSchemas, SAME_VALUE } from "../../../lib/json/json-schema.ts";
import { isObject, memberOf, pointerKeys, toPointer } from "../../../lib/json/json-value.ts";
import type { WorkBudget } from "../../../lib/work-budget.ts";
import { looksLikeAddress } from "../spelling/canonical.ts";
import { nameWords, singulars } from "./name-words.ts";
import { neighboursIn } from "./neighbours.ts";
import { type ArgumentRole, guessRole, type RoleGuess } from "./roles.ts";
import { isHarmlessAct, toolEffects } from "./tool-verbs.ts";
import { type SharingScope, wideningOf } from "./widening-flags.ts";

export interface KnownRole extends RoleGuess {
  /** The policy says so. */
  readonly set?: true;
  /** A flag that is set, and adds receivers. */
  readonly widens?: SharingScope;
}

/** By the name of an argument, or by a pattern of JSON pointers: `/recipients` followed by `/*` and `/address`. */
export type RoleSettings = Readonly<Record<string, { readonly role?: ArgumentRole | undefined }>>;

const RECEIVERS = new Set(
  (
    "to recipient receiver cc bcc addressee payee beneficiary creditor email mail mailto handle account user username member contact person friend " +
    "participant attendee invitee guest collaborator follower assignee reviewer recip rcpt sendto " +
    "empfanger empfaenger begunstigter beguenstigter konto destinatario beneficiario destinataire beneficiaire compte cuenta usuario utilisateur"
  ).split(" "),
);

interface ToolFacts {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
}

interface ArgumentRoles {
  /** The arguments that the schema lists, by pattern: `*` means each element, and each member that has no name. */
  readonly listed: ReadonlyMap<string, KnownRole>;
  /** @param keys of the argument's pattern: `*` for each element. */
  roleAt(keys: readonly string[]): KnownRole;
}

const MAX_DEPTH = 12;
const MAX_LISTED = 1_000;
/** Names of arguments that no schema lists: a guess takes 3 µs, and a call's model may bring a name every 8 bytes. */
const MAX_GUESSED = 500;
const TOO_MANY: KnownRole = {
  role: "destination",
  because: "the call brings too many arguments that its schema does not list",
};
const NO_PATH: readonly string[] = [];

interface ReadSchema {
  readonly tool: ToolFacts;
  readonly settings: RoleSettings;
  readonly leaves: ReadonlyMap<string, unknown>;
  readonly guess: (path: readonly string[], schema: unknown) => KnownRole;
  readonly listed: ReadonlyMap<string, KnownRole>;
}

/** By the schema, which a policy has for good and a client sends with each request: reading it takes 60 µs of each call. */
const schemas = new WeakMap<object, ReadSchema>();

/** @param work pays for reading the schema, if it was not read before. Throws `WorkSpent`. */
export function rolesOf(tool: ToolFacts, settings: RoleSettings, work: WorkBudget): ArgumentRoles {
  const { parameters } = tool;
  const known = isObject(parameters) ? schemas.get(parameters) : undefined;
  const isSame =
    known?.settings === settings && known.tool.name === tool.name && known.tool.description === tool.description;
  const read = known && isSame ? known : readSchema(tool, settings, work);
  if (isObject(parameters)) schemas.set(parameters, read);
  return argumentRoles(read);
}

function readSchema(tool: ToolFacts, settings: RoleSettings, work: WorkBudget): ReadSchema {
  const overrides = readOverrides(settings);
  const leaves = new Map<string, unknown>();
  collectLeaves(tool.parameters, { root: tool.parameters, path: NO_PATH, leaves, work });
  const effects = toolEffects(tool.name, tool.description);
  const neighbours = neighboursIn(tool.parameters, leaves);
  const guess = (path: readonly string[], schema: unknown): KnownRole => {
    const role = overrideFor(overrides, path);
    if (role !== undefined) return { role, because: "the policy says so", set: true };
    const names = path.filter((key) => key !== "*");
    const [name = ""] = names.slice(-1);
    return guessRole({
      ...{ tool: tool.name, effects, name, path: names.slice(0, -1), schema },
      ...{ isElement: path.at(-1) === "*", neighbours },
    });
  };
  const listed = new Map([...leaves].map(([pattern, schema]) => [pattern, guess(pointerKeys(pattern), schema)]));
  return { tool, settings, leaves, guess, listed };
}

function argumentRoles({ leaves, guess, listed }: ReadSchema): ArgumentRoles {
  /** Arguments that the schema does not list. A call may bring thousands of elements of one list. */
  const guessed = new Map<string, KnownRole>();
  return {
    listed,
    roleAt(keys) {
      const pattern = toPointer(keys);
      const known = listed.get(pattern) ?? guessed.get(pattern);
      if (known !== undefined) return known;
      if (guessed.size >= MAX_GUESSED) return TOO_MANY;
      const rest = toPointer([...keys.slice(0, -1), "*"]);
      // A member of a free object: its own name, and the schema for such members.
      const role = guess(keys, leaves.get(rest));
      guessed.set(pattern, role);
      return role;
    },
  };
}

interface Walk {
  readonly root: unknown;
  readonly path: readonly string[];
  readonly leaves: Map<string, unknown>;
  readonly work: WorkBudget;
}

/** Deeper arguments, and those beyond the limit, are judged only by their names. */
function collectLeaves(schema: unknown, walk: Walk): void {
  if (walk.path.length > MAX_DEPTH) return;
  let isLeaf = walk.path.length > 0;
  for (const { schema: part } of appliedSchemas(walk.root, schema, [...SAME_VALUE, "$ref"])) {
    walk.work.spend(10);
    const into = (key: string, child: unknown) => {
      if (walk.leaves.size < MAX_LISTED) collectLeaves(child, { ...walk, path: [...walk.path, key] });
    };
    const properties = memberOf(part, "properties");
    if (isObject(properties)) {
      isLeaf = false;
      for (const [name, child] of Object.entries(properties)) into(name, child);
    }
    for (const child of elementsOf(part)) {
      isLeaf = false;
      into("*", child);
    }
    const free = memberOf(part, "additionalProperties");
    if (isObject(free)) into("*", free);
    const patterns = memberOf(part, "patternProperties");
    if (isObject(patterns)) for (const child of Object.values(patterns)) into("*", child);
    if (isLeaf && isScalar(part)) keepStricter(walk, part);
  }
  if (isLeaf && !walk.leaves.has(toPointer(walk.path))) keepStricter(walk, schema);
}

function elementsOf(schema: unknown): readonly unknown[] {
  const [items, prefix] = [memberOf(schema, "items"), memberOf(schema, "prefixItems")];
  return [items, prefix].flatMap((one) => (one === undefined || typeof one === "boolean" ? [] : one));
}

const isScalar = (schema: unknown): boolean =>
  ["format", "enum", "const", "description"].some((keyword) => memberOf(schema, keyword) !== undefined) ||
  typeof memberOf(schema, "type") === "string";

/** If a value has alternatives (`anyOf`), the first one that describes a text: `null` says nothing. */
function keepStricter({ leaves, path }: Walk, schema: unknown): void {
  const pointer = toPointer(path);
  const known = leaves.get(pointer);
  const isEmpty = (one: unknown) => one === undefined || one === true || memberOf(one, "type") === "null";
  if (!leaves.has(pointer) || isEmpty(known)) leaves.set(pointer, schema);
  else if (memberOf(known, "format") === undefined && isObject(known) && isObject(schema) && !isEmpty(schema))
    leaves.set(pointer, mergeHints(known, schema));
}

/** A format counts in any alternative; a fixed choice and `boolean` only if no alternative leaves the value open. */
function mergeHints(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): unknown {
  const merged: Record<string, unknown> = {};
  const types = [one, other].flatMap((part) => part.type ?? []);
  if (types.length > 0) merged.type = [...new Set(types)];
  for (const keyword of ["format", "description"]) {
    const value = one[keyword] ?? other[keyword];
    if (value !== undefined) merged[keyword] = value;
  }
  const choices = [one, other].map((part) => part.enum ?? (refersOnly(part) ? "any" : undefined));
  if (choices.every((choice) => choice !== undefined)) merged.enum = choices.find((choice) => choice !== "any");
  return merged;
}

/** A `$ref` alone: the schema that it refers to is read as well, and describes the value. */
const refersOnly = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema.$ref !== undefined && ["type", "format", "const"].every((keyword) => schema[keyword] === undefined);

interface Override {
  readonly keys: readonly string[];
  readonly isPattern: boolean;
  readonly role: ArgumentRole;
}

const readOverrides = (settings: RoleSettings): readonly Override[] =>
  Object.entries(settings).flatMap(([key, { role }]) =>
    role === undefined
      ? []
      : [{ role, isPattern: key.startsWith("/"), keys: key.startsWith("/") ? pointerKeys(key) : [key] }],
  );

/** A pattern beats a name, the longer pattern the shorter, and the inner name the outer. */
function overrideFor(overrides: readonly Override[], path: readonly string[]): ArgumentRole | undefined {
  if (overrides.length === 0) return undefined;
  const patterns = overrides.filter(({ isPattern, keys }) => isPattern && covers(keys, path));
  const [longest] = patterns.toSorted((a, b) => b.keys.length - a.keys.length);
  if (longest) return longest.role;
  for (const key of path.toReversed()) {
    const named = overrides.find(({ isPattern, keys }) => !isPattern && keys[0] === key);
    if (named) return named.role;
  }
  return undefined;
}

/** A pattern covers the value it points to, and all below it. */
const covers = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length <= path.length && pattern.every((key, at) => key === "*" || key === path[at]);

/** A scalar of a call's arguments, or the key of a free object that is a value itself. */
export interface CallValue {
  /** JSON pointer into the arguments. */
  readonly pointer: string;
  readonly value: string | number;
  readonly role: KnownRole;
}

/** Whether a value's name says that it is a receiver, and no place, level or secret; even if the policy gives its role. */
export function isReceiver({ role, pointer }: CallValue): boolean {
  if (role.role !== "destination" || role.widens) return false;
  const name = pointerKeys(pointer).findLast((key) => !/^\d+$/.test(key)) ?? "";
  return nameWords(name).some((word) => singulars(word).some((one) => RECEIVERS.has(one)));
}

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** Each element of a list separately. Empty texts, flags and `null` name nothing, but for a flag that adds receivers. Throws `WorkSpent`. */
export function callValues(roles: ArgumentRoles, args: unknown, work: WorkBudget): readonly CallValue[] {
  const values: CallValue[] = [];
  /** `keys` is `pointer` with `*` for each element. */
  const visit = (value: unknown, pointer: string, keys: readonly string[]): void => {
    work.spend(5);
    if (Array.isArray(value)) {
      const inner = [...keys, "*"];
      for (const [at, one] of value.entries()) visit(one, `${pointer}/${at}`, inner);
    } else if (isObject(value))
      for (const [key, one] of Object.entries(value)) {
        const at = pointer + toPointer([key]);
        const inner = [...keys, key];
        // `{ "permissions": { "mallory@example.com": "writer" } }`: the key is the recipient.
        if (!PLAIN_KEY.test(key) && !roles.listed.has(toPointer(inner))) add(key, at, keys, true);
        visit(one, at, inner);
      }
    else if (value === true) addFlag(pointer, keys);
    else if (typeof value === "string" ? value.trim() !== "" : typeof value === "number")
      add(value as string | number, pointer, keys);
  };
  const add = (value: string | number, pointer: string, keys: readonly string[], isKey = false) => {
    const role = roles.roleAt(keys.length === 0 ? [String(value)] : keys);
    // Inside an object that the schema leaves open the name around it decides, and does not describe this value.
    const isOpen = isKey || (keys.length > 1 && !roles.listed.has(toPointer(keys)));
    values.push({ pointer, value, role: stricterByForm(role, value, isOpen) });
  };
  const addFlag = (pointer: string, keys: readonly string[]) => {
    const widens = wideningOf(keys.findLast((key) => key !== "*") ?? "");
    if (widens === undefined || roles.roleAt(keys).set === true) return;
    values.push({ pointer, value: widens, role: { role: "destination", because: "it adds receivers", widens } });
  };
  visit(args, "", []);
  return values;
}

/** If no name decides, the value does: an address is one in any argument, and `undo` does more than `status`. */
function stricterByForm(role: KnownRole, value: string | number, isOpen: boolean): KnownRole {
  if (role.choosesAct === true && !isHarmlessAct(String(value)))
    return { ...role, role: "object", because: "it chooses what is done" };
  if (!(isOpen || role.unsure === true) || role.role === "destination" || typeof value !== "string") return role;
  return looksLikeAddress(value) ? { ...role, role: "destination", because: "its value is an address" } : role;
}
