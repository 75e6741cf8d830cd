/** The settings that differ, each with its path; those of single tools, modes and intents are told elsewhere. Pure. */
import { isObject } from "../../lib/json/json-object.ts";
import { toPointer } from "../../lib/json/json-pointer.ts";
import type { PolicyDocument } from "../document/document.ts";
import { effectiveIntents } from "../intent-guard/effective-intents.ts";
import { parseSelector } from "../selectors.ts";
import { byCodeUnit } from "./json-fields.ts";
import { sameJson } from "./trait-view.ts";

export interface SettingChange {
  /** JSON pointer into the document. */
  readonly path: string;
  /** As read: defaults filled in, durations in milliseconds. Left out where the document has no such member. */
  readonly before?: unknown;
  readonly after?: unknown;
}

export function compareSettings(before: PolicyDocument, after: PolicyDocument): SettingChange[] {
  const changes = compareValues(settingsOf(before), settingsOf(after), []);
  const order = intentOrder(before, after);
  return [...changes, ...(order ? [order] : [])].sort((a, b) => byCodeUnit(a.path, b.path));
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
  if (sameJson(before, after)) return [];
  if (!isObject(before) || !isObject(after)) {
    return [
      {
        path: toPointer(path),
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      },
    ];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const member = (record: Readonly<Record<string, unknown>>, name: string) =>
    Object.hasOwn(record, name) ? record[name] : undefined;
  return names.flatMap((name) => compareValues(member(before, name), member(after, name), [...path, name]));
}

/** The handshake lists the intents in the document's order. */
function intentOrder(before: PolicyDocument, after: PolicyDocument): SettingChange | undefined {
  const [was, is] = [Object.keys(effectiveIntents(before)), Object.keys(effectiveIntents(after))];
  const common = (names: readonly string[], others: readonly string[]) => {
    const known = new Set(others);
    return names.filter((name) => known.has(name));
  };
  return sameJson(common(was, is), common(is, was)) ? undefined : { path: "/intents", before: was, after: is };
}
