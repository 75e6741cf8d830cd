/**
 * Values of an argument that make another act of a call: `action: "transfer_owner"`, `share_type: "anyone"`, `trashed: true`. A draft asks
 * about calls with such a value, whatever else the tool does unasked. Pure.
 */

import { isOpposing } from "../../../lib/acts/tool-verb.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import { nameWords, singular } from "../../../policy/infer/name-words.ts";
import { isAlsoNoun, verbOf } from "../../../policy/infer/verbs.ts";
import type { DraftCondition } from "./amount-limits.ts";

/** Words of a value or of a yes-or-no argument that destroy, disclose, give away or bind. */
const GRAVE_WORDS: ReadonlySet<string> = new Set(
  `delete deleted remove removed trash trashed erase erased purge purged wipe destroy destroyed drop dropped overwrite overwritten discard
  discarded void voided cancel cancelled canceled revoke revoked reset terminate terminated permanent permanently force forced uninstall
  public publish published anyone anybody everyone everybody anonymous share shared unlisted
  owner owners ownership admin admins administrator superuser grant granted transfer impersonate
  approve approved pay paid charge charged refund refunded sign signed posted execute deploy merge merged ban banned`.split(
    /\s+/,
  ),
);
const GRAVE_EFFECTS: ReadonlySet<string> = new Set(["destroy", "access", "pay", "commit", "execute"]);
/** Arguments that say what is looked for, or how it is shown. */
const LOOKS = /^(?:filters?|sort|sort_?by|order|order_?by|fields?|format|include|exclude|language|region|units?)$/i;
/** Behind one of these the words say what is left out or shown: `no_reset`, `include_deleted`. */
const NAMES_OTHERS: ReadonlySet<string> = new Set(
  "no not non dont skip without include exclude show list return".split(" "),
);

/** @returns one for each argument, at the top of the schema, that has such a value. */
export function actConditions({ parameters }: ToolWords): readonly DraftCondition[] {
  const properties = isObject(parameters) && isObject(parameters.properties) ? parameters.properties : {};
  return Object.entries(properties).flatMap(([name, schema]): DraftCondition[] => {
    if (!/^\w{1,60}$/.test(name) || LOOKS.test(name)) return [];
    const values = graveValues(name, schema);
    if (values.length === 0) return [];
    const shown = values.map(String).join(", ");
    return [
      {
        if: { properties: { [name]: values.length === 1 ? { const: values[0] } : { enum: values } }, required: [name] },
        effect: "ask",
        say: `${name}: ${shown.length > 120 ? `${shown.slice(0, 117)}…` : shown}`,
      },
    ];
  });
}

function graveValues(name: string, schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  // Some schemas allow `null` besides.
  const options = [schema, ...[schema.anyOf, schema.oneOf].flatMap((one) => (Array.isArray(one) ? one : []))].filter(
    isObject,
  );
  if (options.some(({ type }) => [type].flat().includes("boolean"))) return isGrave(nameWords(name)) ? [true] : [];
  const choices = options.flatMap((one) =>
    Array.isArray(one.enum) ? one.enum : Object.hasOwn(one, "const") ? [one.const] : [],
  );
  return choices.filter((choice) => typeof choice === "string" && isGrave(nameWords(choice)));
}

function isGrave(words: readonly string[]): boolean {
  const [first = ""] = words;
  if (NAMES_OTHERS.has(first)) return false;
  if (words.some((word) => GRAVE_WORDS.has(word) || GRAVE_WORDS.has(singular(word)))) return true;
  const verb = verbOf(first);
  const acts = verb !== undefined && verb.form === "base" && !isAlsoNoun(verb.verb) && GRAVE_EFFECTS.has(verb.effect);
  return acts || (isOpposing(first) && !isAlsoNoun(first));
}

/**
 * A change of several records at once asks: a call may add one to those that the user named, and many are hard to take back.
 * @param keys of the arguments that are held.
 */
export function bulkConditions({ parameters }: ToolWords, keys: readonly string[]): readonly DraftCondition[] {
  const properties = isObject(parameters) && isObject(parameters.properties) ? parameters.properties : {};
  return Object.entries(properties).flatMap(([name, schema]): DraftCondition[] => {
    const isList = isObject(schema) && schema.type === "array";
    const isHeld = keys.some((key) => key === name || key === `/${name}/*/id` || key === `/${name}/*/key`);
    if (!isList || !isHeld || !/^\w{1,60}$/.test(name)) return [];
    return [
      {
        if: { properties: { [name]: { minItems: 2 } }, required: [name] },
        effect: "ask",
        say: `more than one of ${name}`,
      },
    ];
  });
}

/** Places in which people keep keys and passwords. */
const SECRET_FILES =
  "(?:^|[/\\\\])\\.(?:ssh|aws|gnupg|kube|docker|env|netrc|npmrc|pypirc|pgpass|git-credentials)(?:[./\\\\]|$)|(?:^|[/\\\\])id_(?:rsa|dsa|ecdsa|ed25519)|\\.(?:pem|key|p12|pfx|kdbx)$|/etc/(?:shadow|sudoers)|(?:^|[/\\\\])credentials(?:\\.[a-z]+)?$";
const FILE_PATH = /^(?:file_?)?paths?$/i;

/** Tools that list files, but do not read their content. */
const LISTS: ReadonlySet<string> = new Set(
  "list search find info tree directory folder stat count metadata size".split(" "),
);

/** A tool that reads any file reads keys, too: these ask. */
export function secretFileConditions({ name, parameters }: ToolWords, family: string): readonly DraftCondition[] {
  const properties = isObject(parameters) && isObject(parameters.properties) ? parameters.properties : {};
  const paths = Object.keys(properties).filter((key) => FILE_PATH.test(key));
  const readsText = family === "file" && !nameWords(name).some((word) => LISTS.has(singular(word)));
  return (readsText ? paths : []).map((key) => {
    const schema = properties[key];
    const isSecret = { pattern: SECRET_FILES };
    const isList = isObject(schema) && schema.type === "array";
    return {
      if: { properties: { [key]: isList ? { contains: isSecret } : isSecret }, required: [key] },
      effect: "ask",
      say: `${key} of a file that holds keys or passwords`,
    };
  });
}
