/**
 * The values of a result that may be trusted: its whole scalars, never a part of a longer text. Pure.
 *
 * Trust may be by field: a contact's `/id` is the tool's own, its `/bio` is what somebody wrote. A record that the user named
 * by a trusted title, name or address gives its id.
 */
import { isObject, toPointer } from "../../../lib/json/json-value.ts";
import { nameWords } from "../roles/name-words.ts";
import { accountForm, addressOfMailbox, canonicalToken, folded, numberForm } from "../spelling/canonical.ts";
import { type ComparedValue, readValue } from "../spelling/compared-value.ts";
import { dateForm } from "../spelling/dates.ts";
import { readTextRecords } from "./text-records.ts";
import { isTrustedAt, type Trust } from "./trust.ts";

interface Leaf {
  readonly pointer: string;
  readonly key: string;
  readonly value: string | number;
  /** The number of its object: leaves of one object are one record. */
  readonly record: number;
}

/** A result, read once. */
export interface ResultValues {
  readonly leaves: readonly Leaf[];
  /** Memory, about. */
  readonly bytes: number;
}

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
  return { leaves, bytes: 200 + text.length * 2 + leaves.length * 250 };
}

/** In no value that is compared: so no value spans two leaves. */
const BETWEEN = "\n\u0000\n";
/** Beyond it a leaf is left out. */
const MAX_LEAF_TEXT = 200_000;

/** The texts and numbers of a result, each apart from the others: of JSON its leaves without escapes and keys, else the text. */
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
 * A text without fields: as a whole, and each `name: value` of its lines. Only for tools that are trusted whole: in a
 * field that somebody else wrote such lines could be imitated.
 */
function readLines(text: string, leaves: Leaf[]): void {
  const whole = text.trim();
  if (whole !== "" && whole.length <= MAX_TEXT) leaves.push({ pointer: "", key: "", value: whole, record: 0 });
  let record = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (leaves.length >= MAX_LEAVES) return;
    if (/^\s*(?:-\s|$)/.test(line)) record += 1;
    const [, key = "", value = ""] =
      /^\s*(?:[-*]\s+)?(?:([\p{L}_][\p{L}\p{N}_ -]{0,40}):\s+)?(.+?)\s*$/u.exec(line) ?? [];
    const bare = value.replace(/^(["'])(.*)\1$/, "$2");
    if (bare !== "" && bare.length <= MAX_TEXT) leaves.push({ pointer: `/${at}`, key, value: bare, record });
  }
}

interface ValueForms {
  readonly text: string;
  readonly number: string | undefined;
  readonly account: string | undefined;
}

/** Two values are the same where one of their forms is. */
function formsOf(value: string | number): ValueForms {
  const text = String(value);
  const plain = folded(addressOfMailbox(text) ?? text).trim();
  return {
    text: canonicalToken(plain.replace(/\s+/gu, " ")),
    number: numberForm(plain),
    account: accountForm(plain),
  };
}

/** What a spelling adds to a value: a scheme, `www.`, blanks between groups, a name before an address. */
const MAX_ADDED = 48;

/**
 * The leaves that hold a value, whole. No index: of a large result few leaves are as long as the value, and only their forms
 * are made (an index of 86 KB of JSON with 400 records takes 8 ms to make, the search for one value below 1 ms).
 */
export function leavesWith({ leaves }: ResultValues, value: string | number): readonly Leaf[] {
  const wanted = formsOf(value);
  // Read of a leaf only where the value is a date: its patterns cost more than all other forms.
  const date = typeof value === "string" ? dateForm(folded(value)) : undefined;
  const length = String(value).length;
  const found: Leaf[] = [];
  for (const leaf of leaves) {
    if (leaf.value === value) found.push(leaf);
    else if (isNearLength(leaf.value, length) && (date !== undefined || mayEqual(leaf.value, wanted))) {
      const forms = formsOf(leaf.value);
      if (
        (forms.text === wanted.text && wanted.text !== "") ||
        (forms.number === wanted.number && wanted.number !== undefined) ||
        (forms.account === wanted.account && wanted.account !== undefined) ||
        (date !== undefined && typeof leaf.value === "string" && dateForm(folded(leaf.value)) === date)
      )
        found.push(leaf);
    }
  }
  return found;
}

const isNearLength = (value: string | number, length: number): boolean =>
  typeof value === "number" || Math.abs(value.length - length) <= MAX_ADDED;

const isFolded = /[^\x20-\x40\x5b-\x7e]/;

/** Cheap, and false only where no form can be the same. */
function mayEqual(value: string | number, { text, number, account }: ValueForms): boolean {
  if (typeof value === "number" || number !== undefined || account !== undefined) return /\d/.test(String(value));
  // The last letter of the form is in the value, whatever was added before it, unless it is written in another form.
  const end = text.slice(-3);
  return (
    value.includes(end) || (isFolded.test(value) && (value.toLowerCase().includes(end) || /[^\x20-\x7e]/.test(value)))
  );
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
