/** The settings that differ, by path. Single tools, modes and intents are compared elsewhere. Pure. */
import { isObject, toPointer } from "../../lib/json/json-value.ts";
import type { PolicyDocument } from "../document/document.ts";
import { effectiveIntents } from "../intent-guard/effective-intents.ts";
import { parseSelector } from "../selectors.ts";
import { isSameJson } from "./json-fields.ts";

export interface SettingChange {
  /** JSON pointer into the document. */
  readonly path: string;
  /** With defaults filled in and durations in milliseconds. Left out where the document has no such member. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export function compareSettings(before: PolicyDocument, after: PolicyDocument): SettingChange[] {
  const changes = compareValues(settingsOf(before), settingsOf(after), []);
  return [...changes, ...intentOrder(before, after)].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Of `tools` only the groups. */
function settingsOf(document: PolicyDocument): Readonly<Record<string, unknown>> {
  const { $schema: _, tools, modes: __, intents: ___, ...settings } = document;
  const groups = Object.entries(tools).filter(([key]) => {
    const selector = parseSelector(key);
    return selector.ok && selector.value.kind !== "name";
  });
  return { ...settings, tools: Object.fromEntries(groups) };
}

function compareValues(before: unknown, after: unknown, path: readonly string[]): SettingChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => compareValues(memberOf(before, name), memberOf(after, name), [...path, name]));
  }
  const known = Object.entries({ before, after }).filter(([, value]) => value !== undefined);
  return [{ path: toPointer(path), ...Object.fromEntries(known) }];
}

const memberOf = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The handshake lists the intents in the document's order. */
function intentOrder(before: PolicyDocument, after: PolicyDocument): SettingChange[] {
  const [was, is] = [Object.keys(effectiveIntents(before)), Object.keys(effectiveIntents(after))];
  const shared = new Set(was).intersection(new Set(is));
  const isSame = isSameJson(
    was.filter((name) => shared.has(name)),
    is.filter((name) => shared.has(name)),
  );
  return isSame ? [] : [{ path: "/intents", before: was, after: is }];
}
