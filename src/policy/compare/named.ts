/** Finds the modes and intents that are added, removed, narrowed or widened, and by which tools and roles. Pure. */
import type { CooperativeTask } from "../../lib/concurrency.ts";
import type { CheckedPolicy } from "../check.ts";
import { isManaged, isSystemFirst } from "../document/checks/intent-warnings.ts";
import { builtInIntents } from "../intent-guard/built-in-intents.ts";
import { effectiveIntent } from "../intent-guard/effective-intents.ts";
import { type CompiledIntent, familyAccess } from "../intents.ts";
import { forbiddenBy, permittedBy, type ToolTraits, traitsOf } from "../traits.ts";
import {
  type Change,
  changeOf,
  differingFields,
  gainsAndLosses,
  isEmpty,
  isSameJson,
  type JsonFields,
  type Limits,
  unionOf,
} from "./differences.ts";

export type NamedChange<K extends "mode" | "intent"> = { readonly [name in K]: string } & {
  /** `changed` also if not all tools were compared. */
  readonly change: Change;
  /** Tools and roles (`role:admin`) that it newly permits, or no longer. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** The settings that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
};

/** A mode or an intent of one policy. */
interface Entry {
  /** As a person reads it. */
  readonly view: JsonFields;
  readonly permits: (tool: ToolTraits) => boolean;
  readonly roles: readonly string[];
  /** Selectors that are tried for each tool. */
  readonly patterns: number;
}

const intentEntries = (version: CheckedPolicy): [string, Entry][] =>
  [...version.policy.intents.values()].map((intent) => [
    intent.name,
    {
      view: { ...settingsView(version, intent), ...systemFirstView(version, intent) },
      permits: (tool) =>
        (intent.tools === undefined || permittedBy(intent.tools, tool)) && familyAccess(intent, tool) !== "blocked",
      roles: [],
      patterns: intent.tools?.patterns.length ?? 0,
    },
  ]);

/** Without the hundreds of built-in phrases, which are not the author's. */
function settingsView({ document }: CheckedPolicy, { name, description }: CompiledIntent): JsonFields {
  const intent = effectiveIntent(document, name) ?? { description };
  const phrases = (document.intentGuard?.enabled && builtInIntents.get(name)?.phrases) || {};
  const builtIn = new Map<string, unknown>(Object.entries(phrases));
  return Object.fromEntries(
    Object.entries(intent).filter(([field, value]) => !builtIn.has(field) || !isSameJson(value, builtIn.get(field))),
  );
}

/** The users for whom the system acts first: the author of a new policy must see who no longer asks the model. */
function systemFirstView({ document }: CheckedPolicy, { primaryTool: tool, execution }: CompiledIntent): JsonFields {
  if (tool === undefined || !isSystemFirst(execution) || !isManaged(document, tool)) return {};
  if (document.handshake.select === "model") return {};
  const { strategy, systemFirstShare } = execution;
  const all = strategy === "system_first" || systemFirstShare >= 1;
  const users = all ? "every user" : `${Number((100 * systemFirstShare).toPrecision(3))} % of users`;
  return { systemFirst: `${tool} for ${users}` };
}

const modeEntries =
  (roles: readonly string[]) =>
  ({ document, policy }: CheckedPolicy): [string, Entry][] =>
    [...policy.modes.values()].map(({ name, allow, deny, ...mode }) => [
      name,
      {
        // A document without a mode `default` gets this one.
        view: (Object.hasOwn(document.modes, name) && document.modes[name]) || { allow: ["*"], deny: [] },
        permits: (tool) => permittedBy(allow, tool) && !forbiddenBy(deny, tool),
        roles: mode.roles ? [...mode.roles] : roles,
        patterns: allow.patterns.length + deny.patterns.length,
      },
    ]);

type Versions = readonly [before: CheckedPolicy, after: CheckedPolicy];

export const compareIntents = (versions: Versions, tools: readonly string[], limits: Limits) =>
  compareNamed("intent", intentEntries, versions, tools, limits);

export function compareModes(versions: Versions, tools: readonly string[], limits: Limits) {
  const [before, after] = versions;
  const roles = unionOf(before.policy.roles, after.policy.roles);
  return compareNamed("mode", modeEntries(roles), versions, tools, limits);
}

/** Names of one change. */
const MAX_NAMES = 100;
/** One unit is a tool compared with an entry, or with four of its patterns. Ten units take a microsecond. */
const MAX_COMPARED = 1_000_000;

function* compareNamed<K extends "mode" | "intent">(
  field: K,
  entriesOf: (version: CheckedPolicy) => [string, Entry][],
  versions: Versions,
  tools: readonly string[],
  limits: Limits,
): CooperativeTask<readonly NamedChange<K>[]> {
  const [before, after] = [new Map(entriesOf(versions[0])), new Map(entriesOf(versions[1]))];
  const affords = limits.budget(MAX_COMPARED);
  const costOf = (entry: Entry | undefined) => (entry ? tools.length * (1 + entry.patterns / 4) : 0);
  const changes: NamedChange<K>[] = [];
  for (const name of unionOf(before.keys(), after.keys())) {
    const entries = [before.get(name), after.get(name)] as const;
    const [was, is] = entries;
    const cost = costOf(was) + costOf(is);
    const compared = affords(cost) ? tools : [];
    yield 100 + 2 * compared.length;
    const [permittedBefore = [], permittedAfter = []] = entries.map((entry, index) => [
      ...compared.filter((tool) => entry?.permits(traitsOf((versions[index] ?? versions[0]).policy, tool))),
      ...(entry?.roles ?? []).map((role) => `role:${role}`),
    ]);
    const moved = gainsAndLosses(permittedBefore, permittedAfter);
    const fields = differingFields(was?.view ?? {}, is?.view ?? {});
    const isSame = isEmpty(fields.before) && isEmpty(fields.after) && moved.gained.length + moved.lost.length === 0;
    if (was && is && isSame) continue;
    const isPartial = was && is && compared.length < tools.length;
    const change = isPartial ? "changed" : changeOf(was, is, moved);
    const [gained, lost] = [moved.gained.slice(0, MAX_NAMES), moved.lost.slice(0, MAX_NAMES)];
    changes.push({ [field]: name, change, gained, lost, ...fields } as unknown as NamedChange<K>);
  }
  return changes;
}
