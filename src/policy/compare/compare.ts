/**
 * Finds what would change if one policy replaced another. Pure. The order depends only on names, and comparing the other way round gives
 * the same changes with before and after swapped.
 */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import { isObject, memberOf, toPointer } from "../../lib/json/json-value.ts";
import type { CheckedPolicy } from "../check.ts";
import type { PolicyDocument } from "../document/document-schema.ts";
import { effectiveIntents } from "../intent-guard/effective-intents.ts";
import { selectorKind } from "../selectors.ts";
import { isSameJson, Limits, unionOf } from "./differences.ts";
import { compareHosts, type HostChange } from "./hosts.ts";
import { compareIntents, compareModes, type NamedChange } from "./named.ts";
import { comparedTools, compareTools, type ToolChange } from "./tools.ts";

export interface PolicyChanges {
  readonly hosts: readonly HostChange[];
  readonly tools: readonly ToolChange[];
  readonly intents: readonly NamedChange<"intent">[];
  readonly modes: readonly NamedChange<"mode">[];
  readonly settings: readonly SettingChange[];
  /** Something was left out: there are very many tools, situations or changes. */
  readonly truncated: boolean;
}

/** Groups compared with tools. */
const MAX_SELECTED = 4_000_000;
const MAX_SETTINGS = 500;

/**
 * In pieces: with large documents it takes a tenth of a second and more.
 * @param seen names of tools that clients bring: neither policy need list them.
 */
export function* comparing(
  before: CheckedPolicy,
  after: CheckedPolicy,
  seen: readonly string[],
): CooperativeTask<PolicyChanges> {
  const limits = new Limits();
  const groups = before.policy.groups.length + after.policy.groups.length;
  const names = comparedTools([before.document, after.document], seen, limits);
  const all = limits.first(names, Math.max(1, Math.floor(MAX_SELECTED / (1 + groups))));
  const tools = yield* compareTools(before.policy, after.policy, all, limits);
  const hosts = compareHosts(before, after, limits);
  const intents = yield* compareIntents([before, after], all, limits);
  const modes = yield* compareModes([before, after], all, limits);
  const settings = limits.first(compareSettings(before.document, after.document), MAX_SETTINGS);
  return { hosts, tools, intents, modes, settings, truncated: limits.truncated };
}

/** A setting that differs. Single tools, modes and intents are compared elsewhere. */
interface SettingChange {
  /** JSON pointer into the document. */
  readonly path: string;
  /** With defaults filled in and durations in milliseconds. Absent if the document has no such member. */
  readonly before?: unknown;
  readonly after?: unknown;
}

function compareSettings(before: PolicyDocument, after: PolicyDocument): SettingChange[] {
  const changes = compareValues(settingsOf(before), settingsOf(after), []);
  return [...changes, ...intentOrder(before, after)].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The document's settings, with only the groups of its `tools`. */
function settingsOf(document: PolicyDocument): Readonly<Record<string, unknown>> {
  const { $schema: _, tools, modes: __, intents: ___, ...settings } = document;
  const groups = Object.entries(tools).filter(([key]) => selectorKind(key) !== "name");
  return { ...settings, tools: Object.fromEntries(groups) };
}

function compareValues(before: unknown, after: unknown, path: readonly string[]): SettingChange[] {
  if (isSameJson(before, after)) return [];
  if (isObject(before) && isObject(after))
    return unionOf(Object.keys(before), Object.keys(after)).flatMap((name) =>
      compareValues(memberOf(before, name), memberOf(after, name), [...path, name]),
    );
  const known = Object.entries({ before, after }).filter(([, value]) => value !== undefined);
  return [{ path: toPointer(path), ...Object.fromEntries(known) }];
}

/** The handshake lists the intents in the document's order. */
function intentOrder(...documents: readonly [before: PolicyDocument, after: PolicyDocument]): SettingChange[] {
  const [before = [], after = []] = documents.map((document) => Object.keys(effectiveIntents(document)));
  const isSame = isSameJson(
    before.filter((name) => after.includes(name)),
    after.filter((name) => before.includes(name)),
  );
  return isSame ? [] : [{ path: "/intents", before, after }];
}
