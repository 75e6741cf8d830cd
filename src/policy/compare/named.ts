/** Modes and intents: which are added, removed, narrowed or widened, and by which tools. Pure. */
import type { Piecework } from "../../lib/concurrency.ts";
import type { CheckedPolicy } from "../check.ts";
import type { CompiledMode } from "../compile.ts";
import { type CompiledIntent, judgeFamilies } from "../intents.ts";
import { forbiddenBy, permittedBy, type ToolTraits, traitsOf } from "../traits.ts";
import { intentView } from "./intent-view.ts";
import { byCodeUnit, type JsonFields } from "./json-fields.ts";
import { systemFirstView } from "./system-first-view.ts";
import { differing } from "./trait-view.ts";

export type NamedChange<K extends "mode" | "intent"> = { readonly [name in K]: string } & {
  /** `narrowed` loses only, `widened` gains only; `changed`: both, or neither, or not all tools were looked at. */
  readonly change: "added" | "removed" | "narrowed" | "widened" | "changed";
  /** Tools and roles that it permits from then on, or no longer; of many the first. */
  readonly gained: readonly string[];
  readonly lost: readonly string[];
  /** The settings that differ. */
  readonly before: JsonFields;
  readonly after: JsonFields;
};

const MAX_TOLD = 100;
/** Looks at one tool by one entry, a pattern being a quarter of one: some ten of them take a microsecond. */
const MAX_LOOKS = 1_000_000;

export interface NamedChanges<K extends "mode" | "intent"> {
  readonly changes: readonly NamedChange<K>[];
  /** Whether there were too many entries to look at each tool for each. */
  readonly cut: boolean;
}

interface Reading<T> {
  readonly entries: (version: CheckedPolicy) => ReadonlyMap<string, T>;
  readonly view: (version: CheckedPolicy, name: string) => JsonFields;
  readonly permits: (entry: T, tool: ToolTraits) => boolean;
  readonly roles: (entry: T) => ReadonlySet<string> | undefined;
  /** Selectors that are tried for a tool, one after the other. */
  readonly patterns: (entry: T) => number;
}

const intents: Reading<CompiledIntent> = {
  entries: ({ policy }) => policy.intents,
  view: ({ document, policy }, name) => ({
    ...(intentView(document, name) ?? { description: policy.intents.get(name)?.description }),
    ...systemFirstView(document, policy.intents.get(name)),
  }),
  permits: (intent, tool) =>
    (intent.tools === undefined || permittedBy(intent.tools, tool)) && judgeFamilies(intent, tool) !== "blocked",
  roles: () => undefined,
  patterns: (intent) => intent.tools?.patterns.length ?? 0,
};

const modes: Reading<CompiledMode> = {
  entries: ({ policy }) => policy.modes,
  // A document without a mode `default` has this one.
  view: ({ document }, name) => own(document.modes, name) ?? { allow: ["*"], deny: [] },
  permits: (mode, tool) => permittedBy(mode.allow, tool) && !forbiddenBy(mode.deny, tool),
  roles: (mode) => mode.roles,
  patterns: (mode) => mode.allow.patterns.length + mode.deny.patterns.length,
};

export const compareIntents = (before: CheckedPolicy, after: CheckedPolicy, tools: readonly string[]) =>
  compareNamed("intent", intents, before, after, tools);

export const compareModes = (before: CheckedPolicy, after: CheckedPolicy, tools: readonly string[]) =>
  compareNamed("mode", modes, before, after, tools);

function* compareNamed<K extends "mode" | "intent", T>(
  kind: K,
  reading: Reading<T>,
  before: CheckedPolicy,
  after: CheckedPolicy,
  all: readonly string[],
): Piecework<NamedChanges<K>> {
  const [were, are] = [reading.entries(before), reading.entries(after)];
  const names = [...new Set([...were.keys(), ...are.keys()])].sort(byCodeUnit);
  const looks = [...were.values(), ...are.values()].reduce((sum, entry) => sum + 1 + reading.patterns(entry) / 4, 0);
  const tools = all.slice(0, Math.max(1, Math.floor(MAX_LOOKS / looks)));
  const cut = tools.length < all.length;
  const allRoles = [...new Set([...before.policy.roles, ...after.policy.roles])].sort(byCodeUnit);
  const changes: NamedChange<K>[] = [];
  for (const name of names) {
    const [was, is] = [were.get(name), are.get(name)];
    const fields = differing(was ? reading.view(before, name) : {}, is ? reading.view(after, name) : {});
    const permitted = (version: CheckedPolicy, entry: T | undefined): ReadonlySet<string> =>
      new Set(entry ? tools.filter((tool) => reading.permits(entry, traitsOf(version.policy, tool))) : []);
    const [toolsBefore, toolsAfter] = [permitted(before, was), permitted(after, is)];
    const [rolesBefore, rolesAfter] = [
      was ? (reading.roles(was) ?? new Set(allRoles)) : new Set<string>(),
      is ? (reading.roles(is) ?? new Set(allRoles)) : new Set<string>(),
    ];
    const tool = gainsAndLosses(toolsBefore, toolsAfter);
    const role = kind === "mode" ? gainsAndLosses(rolesBefore, rolesAfter) : { gained: [], lost: [] };
    const gained = [...tool.gained, ...role.gained.map((one) => `role:${one}`)];
    const lost = [...tool.lost, ...role.lost.map((one) => `role:${one}`)];
    const settled = Object.keys(fields.before).length === 0 && Object.keys(fields.after).length === 0;
    yield 100 + 2 * tools.length + allRoles.length;
    if (was && is && settled && gained.length === 0 && lost.length === 0) continue;
    const change = !was ? "added" : !is ? "removed" : cut ? "changed" : directionOf(gained.length, lost.length);
    const told = { change, gained: gained.slice(0, MAX_TOLD), lost: lost.slice(0, MAX_TOLD), ...fields };
    changes.push({ [kind]: name, ...told } as unknown as NamedChange<K>);
  }
  return { changes, cut };
}

function gainsAndLosses(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  return {
    gained: [...after].filter((one) => !before.has(one)),
    lost: [...before].filter((one) => !after.has(one)),
  };
}

function directionOf(gained: number, lost: number): "narrowed" | "widened" | "changed" {
  if (gained === 0 && lost > 0) return "narrowed";
  return gained > 0 && lost === 0 ? "widened" : "changed";
}

const own = <T extends object>(record: Readonly<Record<string, T>>, name: string): JsonFields | undefined =>
  Object.hasOwn(record, name) ? (record[name] as JsonFields | undefined) : undefined;
