/** Compares a case's expectation with the result. Members that the case does not name are not compared. Pure. */

import { canonicalJson } from "../../../lib/json/canonical-json.ts";
import { isObject } from "../../../lib/json/json-value.ts";

/** Represents a missing value, because no record holds it. */
export const ABSENT = "(absent)";

/** The parts of `got` that `expected` names: the same members of an object, every entry of a list. */
export function expectedParts(expected: unknown, got: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(got)) {
    return got.map((entry, index) => (index < expected.length ? expectedParts(expected[index], entry) : entry));
  }
  if (!isObject(expected) || !isObject(got)) return got;
  return Object.fromEntries(
    Object.keys(expected).map((key) => [
      key,
      Object.hasOwn(got, key) ? expectedParts(expected[key], got[key]) : ABSENT,
    ]),
  );
}

/** As JSON would carry them. */
export const equalAsJson = (expected: unknown, got: unknown): boolean =>
  got !== undefined && canonicalJson(plain(expected)) === canonicalJson(plain(got));

/** As JSON would carry it: members that are undefined are not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
