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
  /** The digits of the leaves. */
  readonly digits: Lines;
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
  const plain = leaves.map(({ value }) => (typeof value === "number" ? String(value) : oneBlank(folded(value))));
  return {
    leaves,
    plain: linesOf(plain),
    digits: linesOf(plain.map((one) => one.replace(/\D+/g, ""))),
    bytes: 200 + text.length * 5 + leaves.length * 270,
  };
}

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
 * The leaves that hold a value, whole. No index of their forms: those of a leaf take 4 µs to make. A search for what a form leaves of a
 * value finds the few leaves that may have it.
 */
export function leavesWith(result: ResultValues, value: string | number): readonly Leaf[] {
  const wanted = formsOf(value);
  const date = typeof value === "string" ? dateForm(folded(value)) : undefined;
  const length = String(value).length;
  return candidates(result, { ...wanted, date }).filter((leaf) => {
    if (leaf.value === value) return true;
    if (typeof leaf.value === "string" && Math.abs(leaf.value.length - length) > MAX_ADDED) return false;
    const forms = formsOf(leaf.value);
    return (
      (forms.text === wanted.text && wanted.text !== "") ||
      (forms.number === wanted.number && wanted.number !== undefined) ||
      (forms.account === wanted.account && wanted.account !== undefined) ||
      (date !== undefined && typeof leaf.value === "string" && dateForm(folded(leaf.value)) === date)
    );
  });
}

/** All leaves of which a form may be one of these. */
function candidates(
  { leaves, plain, digits }: ResultValues,
  { text, number, account, date }: ValueForms & { readonly date: string | undefined },
): readonly Leaf[] {
  // Of a URL the stop at the end of its host is no part of the form.
  const lines = text === "" ? [] : [...linesWith(plain, text), ...linesWith(plain, "./")];
  // Zeros at either end may be written or not; after the sign of a country stand at least six digits.
  if (number !== undefined) lines.push(...linesWith(digits, number.replace(/\D/g, "").replace(/^0+|0+$/g, "")));
  if (account !== undefined) lines.push(...linesWith(digits, account.replace(/\D/g, "").slice(-6)));
  const [, year = "", day] = /^(\d+)-\d+-(\d+)/.exec(date ?? "") ?? [];
  if (day !== undefined) {
    const ofYear = year === "0" ? undefined : new Set(linesWith(digits, year.slice(-2)));
    lines.push(...linesWith(digits, day).filter((line) => ofYear === undefined || ofYear.has(line)));
  }
  return [...new Set(lines)].toSorted((a, b) => a - b).flatMap((line) => leaves[line] ?? []);
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
