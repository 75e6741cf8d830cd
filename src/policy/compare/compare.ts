/**
 * What would change if one policy replaced another. Pure. The order depends on names alone, and `comparePolicies(b, a)` gives the
 * same changes with before and after swapped.
 */
import { atOnce, type Piecework } from "../../lib/concurrency.ts";
import type { CheckedPolicy } from "../check.ts";
import { compareHosts, type HostChange } from "./hosts.ts";
import { newLimited } from "./limited.ts";
import { compareIntents, compareModes, type NamedChange } from "./named.ts";
import { compareSettings, type SettingChange } from "./settings.ts";
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

/** Groups tried for tools. A tenant writes its own documents, and the isolate serves nobody while it compares two of them. */
const MAX_SELECTED = 4_000_000;
const MAX_SETTINGS = 500;

/** @param seen names of tools that clients bring: neither policy need list them. */
export const comparePolicies = (
  before: CheckedPolicy,
  after: CheckedPolicy,
  seen: readonly string[] = [],
): PolicyChanges => atOnce(comparing(before, after, seen));

/** The same in pieces: with large documents it takes a tenth of a second and more. */
export function* comparing(
  before: CheckedPolicy,
  after: CheckedPolicy,
  seen: readonly string[],
): Piecework<PolicyChanges> {
  const limited = newLimited();
  const names = comparedTools([before.document, after.document], seen, limited);
  const groups = before.policy.groups.length + after.policy.groups.length;
  const all = limited.first(names, Math.max(1, Math.floor(MAX_SELECTED / (1 + groups))));
  const tools = yield* compareTools(before.policy, after.policy, all, limited);
  const hosts = compareHosts(before, after, limited);
  const intents = yield* compareIntents(before, after, all, limited);
  const modes = yield* compareModes(before, after, all, limited);
  const settings = limited.first(compareSettings(before.document, after.document), MAX_SETTINGS);
  return { hosts, tools, intents, modes, settings, truncated: limited.truncated };
}
