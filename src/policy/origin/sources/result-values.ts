/**
 * The values of a result that may be trusted: its whole scalars, never a part of a longer text. Pure.
 *
 * Trust may be by field: a contact's `/id` is the tool's own, its `/bio` is a third party's text. If the user named a record
 * by a trusted title, name or address, its id is trusted.
 */
import { isObject, toPointer } from "../../../lib/json/json-value.ts";
import { once } from "../../../lib/once.ts";
import { nameWords } from "../roles/name-words.ts";
import { accountForm, addressOfMailbox, canonicalToken, folded, numberForm } from "../spelling/canonical.ts";
import { type ComparedValue, readValue } from "../spelling/compared-value.ts";
import { dateForm } from "../spelling/dates/dates.ts";
import { readTextRecords } from "./text-records.ts";
import { isTrustedAt, type Trust } from "./trust.ts";

interface Leaf {
  readonly pointer: string;
  readonly key: string;
  readonly value: string | number;
  /** The number of its object: leaves of one object are one record. */
  readonly record: number;
}

/** Texts of leaves, one a line, and where each begins. */
interface Lines {
  readonly text: string;
  readonly starts: readonly number[];
}

/** A result, read once. */
export interface ResultValues {
  readonly leaves: readonly Leaf[];
  /** The leaves folded, each run of blanks as one. */
  readonly plain: Lines;
  /** Leaves whose form lacks a stop before a slash: the end of a host. */
  readonly withStop: readonly number[];
  /** Made at the first value that is a number, an account or a date. */
  readonly numbers: () => LeavesByForm;
  readonly accounts: () => LeavesByForm;
  readonly dates: () => LeavesByForm;
  /** Approximate memory. */
  readonly bytes: number;
}

type LeavesByForm = ReadonlyMap<string, readonly Leaf[]>;

/** Beyond them nothing is grounded: a result of this size is no list to choose from. */
const MAX_LEAVES = 20_000;
const MAX_DEPTH = 32;
/** A longer text is content. */
const MAX_TEXT = 1_000;

export function readResult(text: string): ResultValues {
  const leaves: Leaf[] = [];
  const value = parseJson(text)?.value ?? readTextRecords(text);
  if (value === undefined) readLines(text, leaves);
  else collect(value, leaves);
  const plain = linesOf(
    leaves.map(({ value }) => (typeof value === "number" ? String(value) : oneBlank(folded(value)))),
  );
  return {
    leaves,
    plain,
    withStop: linesWith(plain, "./"),
    numbers: once(() => leavesBy(leaves, numberForm)),
    accounts: once(() => leavesBy(leaves, accountForm)),
    dates: once(() => leavesBy(leaves, (text, { value }) => (typeof value === "string" ? dateForm(text) : undefined))),
    bytes: 200 + text.length * 5 + leaves.length * 270,
  };
}

/** No number, account or date is longer. */
const MAX_FORM = 64;

function leavesBy(leaves: readonly Leaf[], formOf: (plain: string, leaf: Leaf) => string | undefined): LeavesByForm {
  const found = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const text = String(leaf.value);
    if (text.length > MAX_FORM || !/[\d月\s]/u.test(text)) continue;
    const form = formOf(plainOf(text), leaf);
    if (form === undefined) continue;
    const known = found.get(form);
    if (known) known.push(leaf);
    else found.set(form, [leaf]);
  }
  return found;
}

const plainOf = (text: string): string => folded(addressOfMailbox(text) ?? text).trim();

const oneBlank = (text: string): string => text.replace(/\s+/gu, " ");

function linesOf(texts: readonly string[]): Lines {
  let next = 0;
  const starts = texts.map((text) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
  return { text: texts.join("\n"), starts };
}

/** The numbers of the lines that hold a text of one line. */
function linesWith({ text, starts }: Lines, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at)) {
    const line = lineAt(starts, at);
    found.push(line);
    const next = starts[line + 1];
    if (next === undefined) break;
    at = next;
  }
  return found;
}

function lineAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A separator that no compared value contains: so no value spans two leaves. */
const BETWEEN = "\n\u0000\n";
/** Beyond it a leaf is left out. */
const MAX_LEAF_TEXT = 200_000;

/** The texts and numbers of a result, separated: the leaves of JSON without escapes and keys, else the text. */
export function leafText(text: string): string {
  const parsed = parseJson(text);
  if (parsed === undefined) return text;
  const leaves: Leaf[] = [];
  collect(parsed.value, leaves, MAX_LEAF_TEXT);
  return leaves.map(({ value }) => String(value)).join(BETWEEN);
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function collect(root: unknown, leaves: Leaf[], longest = MAX_TEXT): void {
  let records = 0;
  const visit = (value: unknown, path: readonly PropertyKey[], record: number): void => {
    if (leaves.length >= MAX_LEAVES || path.length > MAX_DEPTH) return;
    if (Array.isArray(value)) for (const [at, one] of value.entries()) visit(one, [...path, at], record);
    else if (isObject(value)) {
      records += 1;
      const own = records;
      for (const [key, one] of Object.entries(value)) visit(one, [...path, key], own);
    } else if (typeof value === "number" || (typeof value === "string" && value !== "" && value.length <= longest))
      leaves.push({ pointer: toPointer(path), key: lastName(path), value, record });
  };
  visit(root, [], 0);
}

const lastName = (path: readonly PropertyKey[]): string =>
  String(path.findLast((key) => typeof key === "string") ?? "");

/**
 * A text without fields: as a whole, and each `name: value` of its lines. Only for tools that are trusted whole: a
 * third party could imitate such lines in a field.
 */
function readLines(text: string, leaves: Leaf[]): void {
  const whole = text.trim();
  if (whole !== "" && whole.length <= MAX_TEXT) leaves.push({ pointer: "", key: "", value: whole, record: 0 });
  let record = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (leaves.length >= MAX_LEAVES) return;
    if (/^\s*(?:-\s|$)/.test(line)) record += 1;
    const [, key = "", value = ""] =
      /^\s*(?:[-*]\s+)?(?:([\p{L}_][\p{L}\p{N}_ -]{0,40}):\s+)?(.+)$/u.exec(line.trimEnd()) ?? [];
    const bare = value.replace(/^(["'])(.*)\1$/, "$2");
    if (bare !== "" && bare.length <= MAX_TEXT) leaves.push({ pointer: `/${at}`, key, value: bare, record });
  }
}

/** The length that a spelling may add to a value: a scheme, `www.`, blanks between groups, a name before an address. */
const MAX_ADDED = 48;

/** A value in the forms in which leaves are looked for. */
export interface SoughtValue {
  readonly value: string | number;
  readonly text: string;
  readonly number: string | undefined;
  readonly account: string | undefined;
  readonly date: string | undefined;
}

export function soughtValue(value: string | number): SoughtValue {
  const plain = plainOf(String(value));
  return {
    value,
    text: textForm(plain),
    number: numberForm(plain),
    account: accountForm(plain),
    date: typeof value === "string" ? dateForm(folded(value)) : undefined,
  };
}

/**
 * The leaves that hold a value, whole. No index of their texts: a search for the form of the value finds the few leaves that may
 * have it.
 */
export function leavesWith(result: ResultValues, sought: SoughtValue): readonly Leaf[] {
  const { number, account, date } = sought;
  return [
    ...leavesWithText(result, sought),
    ...(number === undefined ? [] : (result.numbers().get(number) ?? [])),
    ...(account === undefined ? [] : (result.accounts().get(account) ?? [])),
    ...(date === undefined ? [] : (result.dates().get(date) ?? [])),
  ];
}

const textForm = (plain: string): string => canonicalToken(oneBlank(plain));

function leavesWithText(
  { leaves, plain, withStop }: ResultValues,
  { value, text: wanted }: SoughtValue,
): readonly Leaf[] {
  if (wanted === "") return [];
  const length = String(value).length;
  return [...linesWith(plain, wanted), ...withStop].flatMap((line) => {
    const leaf = leaves[line];
    if (leaf === undefined) return [];
    if (leaf.value === value) return [leaf];
    if (typeof leaf.value === "string" && Math.abs(leaf.value.length - length) > MAX_ADDED) return [];
    return textForm(plainOf(String(leaf.value))) === wanted ? [leaf] : [];
  });
}

const NAMES = new Set(
  "title name subject filename email mail address label summary username login handle iban number sku slug topic".split(
    " ",
  ),
);
const IDS = new Set("id ids uuid guid key ref reference number no".split(" "));

/** Whether one of the leaves is the id of a record whose name is trusted and the user's. */
export function isReferenced(
  result: ResultValues,
  trust: Trust,
  found: readonly Leaf[],
  isUsers: (name: ComparedValue) => boolean,
): boolean {
  for (const id of found) {
    if (!IDS.has(nameWords(id.key).at(-1) ?? "")) continue;
    if (namesOf(result, trust, id).some(isUsers)) return true;
  }
  return false;
}

function namesOf(result: ResultValues, trust: Trust, { record, key }: Leaf): ComparedValue[] {
  return result.leaves.flatMap((leaf) => {
    if (leaf.record !== record || leaf.key === key || !NAMES.has(nameWords(leaf.key).at(-1) ?? "")) return [];
    return isTrustedAt(trust, leaf.pointer) ? (readValue(leaf.value) ?? []) : [];
  });
}
