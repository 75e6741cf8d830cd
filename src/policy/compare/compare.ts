/**
 * What would change if one policy took another's place, for whoever is about to replace it. Pure, and in an order that
 * depends on the names alone. `comparePolicies(b, a)` says the same with before and after swapped.
 */
import { atOnce, type Piecework } from "../../lib/concurrency.ts";
import type { CheckedPolicy } from "../check.ts";
import type { CompiledPolicy } from "../compile.ts";
import { type EffectChange, effectChanges, situationsOf } from "./effects.ts";
import { compareHosts, type HostChange } from "./hosts.ts";
import type { JsonFields } from "./json-fields.ts";
import { compareIntents, compareModes, type NamedChange } from "./named.ts";
import { compareSettings, type SettingChange } from "./settings.ts";
import { toolNamesOf } from "./tool-names.ts";
import { differing, traitView } from "./trait-view.ts";

export interface ToolChange {
  /** A name; a name with `*` for tools that neither policy lists and whose name matches; `*` for any other such tool. */
  readonly tool: string;
  /** The traits that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
  readonly effects: readonly EffectChange[];
}

export interface PolicyChanges {
  readonly hosts: readonly HostChange[];
  readonly tools: readonly ToolChange[];
  readonly intents: readonly NamedChange<"intent">[];
  readonly modes: readonly NamedChange<"mode">[];
  readonly settings: readonly SettingChange[];
  /** True where there was more than is told: very many tools, situations or changes. */
  readonly truncated: boolean;
}

/** Questions asked of the rules in one comparison; each takes some microseconds, as fifty patterns do. */
const MAX_JUDGED = 100_000;
/** Groups tried for tools. Documents are a tenant's own, and while one is compared the isolate serves nobody. */
const MAX_SELECTED = 4_000_000;
const MAX_SETTINGS = 500;
/** Of one tool. */
const MAX_EFFECTS = 100;

/** @param seen names of tools that clients bring: neither policy need list them. */
export const comparePolicies = (
  before: CheckedPolicy,
  after: CheckedPolicy,
  seen: readonly string[] = [],
): PolicyChanges => atOnce(comparing(before, after, seen));

/** The same in pieces: for large documents it takes a tenth of a second and more. */
export function* comparing(
  before: CheckedPolicy,
  after: CheckedPolicy,
  seen: readonly string[],
): Piecework<PolicyChanges> {
  const names = toolNamesOf([before.document, after.document], seen);
  const groups = before.policy.groups.length + after.policy.groups.length;
  const all = names.all.slice(0, Math.max(1, Math.floor(MAX_SELECTED / (1 + groups))));
  const { tools, cut } = yield* compareTools(before, after, all);
  const hosts = compareHosts(before, after);
  const intents = yield* compareIntents(before, after, all);
  const modes = yield* compareModes(before, after, all);
  const settings = compareSettings(before.document, after.document);
  return {
    hosts: hosts.changes,
    tools,
    intents: intents.changes,
    modes: modes.changes,
    settings: settings.slice(0, MAX_SETTINGS),
    truncated:
      cut ||
      hosts.cut ||
      intents.cut ||
      modes.cut ||
      names.truncated ||
      all.length < names.all.length ||
      settings.length > MAX_SETTINGS,
  };
}

function* compareTools(
  before: CheckedPolicy,
  after: CheckedPolicy,
  all: readonly string[],
): Piecework<{ tools: ToolChange[]; cut: boolean }> {
  const situations = situationsOf(before.policy, after.policy);
  const groups = before.policy.groups.length + after.policy.groups.length;
  const traits: Traits[] = [];
  for (const tool of all) {
    traits.push({ tool, ...differing(traitView(before.policy, tool), traitView(after.policy, tool)) });
    yield 200 + 2 * groups;
  }
  // Where not all can be judged, those first whose own traits change.
  const order = [...traits].sort((a, b) => Number(changes(b)) - Number(changes(a)));
  const patterns = longest(before.policy) + longest(after.policy);
  const affordable = Math.floor(MAX_JUDGED / Math.max(1, 2 * situations.count * (1 + patterns / 50)));
  const effects = new Map<string, readonly EffectChange[]>();
  for (const { tool } of order.slice(0, affordable)) {
    effects.set(tool, yield* effectChanges(before.policy, after.policy, tool, situations));
  }
  const tools = traits
    .map((change) => ({ ...change, effects: effects.get(change.tool)?.slice(0, MAX_EFFECTS) ?? [] }))
    .filter((change) => changes(change) || change.effects.length > 0);
  const many = [...effects.values()].some(({ length }) => length > MAX_EFFECTS);
  return { tools, cut: many || affordable < order.length };
}

type Traits = Pick<ToolChange, "tool" | "before" | "after">;

/** Patterns that a question may have to try. */
function longest({ modes, intents }: CompiledPolicy): number {
  const ofModes = [...modes.values()].map(({ allow, deny }) => allow.patterns.length + deny.patterns.length);
  const ofIntents = [...intents.values()].map(({ tools }) => tools?.patterns.length ?? 0);
  const most = (counts: readonly number[]) => counts.reduce((max, count) => Math.max(max, count), 0);
  return most(ofModes) + most(ofIntents);
}

const changes = ({ before, after }: { before: JsonFields; after: JsonFields }): boolean =>
  Object.keys(before).length > 0 || Object.keys(after).length > 0;
