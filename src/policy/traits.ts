/**
 * What the policy says of one tool, own settings and groups together. Pure.
 *
 * A tool's own setting beats a group's; of two groups' settings both apply, the stricter one decides.
 *
 * A name that the policy does not list is chosen by the client, or by whoever wrote an MCP server, so nothing that
 * depends on it may loosen: for an unlisted tool groups can only add to what `unlistedTools` demands.
 *  - The class stays `destructive`: no selector, nor `unlistedTools`, makes an unlisted tool safe.
 *  - A group may raise the category, and the demands of both categories then apply: a glob that says `external` must
 *    not lift the question that `modification` asks.
 *  - `confirm: "auto"` and `firstTime: false` count from `*`, and from a selector that holds without the name (`category:…`, `class:…` of the
 *    unlisted tools' own category and class), not from a glob or a family. So do `disclosure`,
 *    `learnMore` and `preview`: a person must not be told what another tool does.
 *  - `trusted` and `reversible` are never believed; `injection` can add sets but not except anything.
 *  - In a mode's `allow`, or in an intent's tools, a glob or a family admits an unlisted tool as `*` would, with all of
 *    the above; a category must be the one it has with groups and the one it has without them.
 *
 * A tool that an MCP server told of (`discovered`) is unlisted all the same. What its hints came to, as far as the policy
 * believes them, takes the place of `unlistedTools`, and stands where the settings of a listed one do not classify it.
 */

import { boundedCache, CACHE_BYTES } from "../lib/bounded-cache.ts";
import { hostOf } from "../lib/host.ts";
import { type InjectionCheck, injectionFor } from "./arguments/injection.ts";
import { systemOf, withoutMembers } from "./arguments/system-arguments.ts";
import { type CompiledPolicy, type DiscoveredTool, type Group, windowsOf } from "./compile.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import type { RateWindow } from "./facts.ts";
import { familiesOf } from "./families.ts";
import {
  type Category,
  categories,
  type Selectable,
  type Selector,
  type SelectorSet,
  selects,
  selectsAny,
  type ToolClass,
  toolClasses,
} from "./selectors.ts";

export interface ToolTraits extends Selectable {
  /** Named in the policy's `tools`. */
  readonly listed: boolean;
  readonly category: Category;
  readonly class: ToolClass;
  readonly families: ReadonlySet<string>;
  /** What selectors that permit look at: for an unlisted tool, without what groups made of it. */
  readonly base: Selectable;
  /** Whether a person must confirm each call, and whether the first use needs consent. */
  readonly asks: boolean;
  readonly gate: boolean;
  /** Absent: every role. Empty: none. */
  readonly roles?: readonly string[];
  readonly requiresAuth: boolean;
  /** Providers that the user must have linked, all of them. */
  readonly connections: readonly string[];
  /** As set on the tool or its groups; absent: the category decides. */
  readonly confirm?: "auto" | "ask";
  readonly windows: readonly RateWindow[];
  /** What records leave out; all of `hideFromApprover` too. */
  readonly redact: readonly string[];
  /** What even the person who is asked does not see. */
  readonly hideFromApprover: readonly string[];
  readonly reversible: boolean;
  readonly undo?: UndoSettings;
  readonly destination?: string;
  readonly sensitive: boolean;
  readonly trusted: boolean;
  readonly injection: InjectionCheck;
  readonly description?: string;
  /** Without what the gateway sets itself. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The policy's own words for what a call will do, and for `learn more`. */
  readonly disclosure?: ToolSettings["disclosure"];
  readonly learnMore?: ToolSettings["learnMore"];
  /** JSON pointers to the arguments that hold the text before and after. */
  readonly preview?: ToolSettings["preview"];
  /** How long a question about it stands where the stream is held; absent: as the policy's `confirmation` says. */
  readonly timeoutSeconds?: number;
}

/** How a tool is undone. */
export interface UndoSettings {
  readonly tool: string;
  /** By name: a text, or `{{result.path}}` or `{{arguments.path}}` of the call that is undone; absent: found by name. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

interface Known {
  readonly id: number;
  /** As many as the policy says. They go when it goes. */
  readonly listed: Map<string, ToolTraits>;
}

const policies = new WeakMap<CompiledPolicy, Known>();
let lastId = 0;
/** Of all policies: these names are the clients'. */
const unlisted = boundedCache<ToolTraits>({ maxBytes: CACHE_BYTES.traits });

export function traitsOf(policy: CompiledPolicy, toolName: string): ToolTraits {
  let known = policies.get(policy);
  if (!known) {
    lastId += 1;
    known = { id: lastId, listed: new Map() };
    policies.set(policy, known);
  }
  const key = `${known.id} ${toolName}`;
  const before = known.listed.get(toolName) ?? unlisted.get(key);
  if (before) return before;
  const traits = resolve(policy, toolName);
  if (traits.listed) known.listed.set(toolName, traits);
  else unlisted.set(key, traits, bytesOf(traits));
  return traits;
}

/** What an unlisted tool's traits hold beside what is its policy's. */
const bytesOf = ({ families, windows, redact, connections }: ToolTraits): number =>
  2_000 + 100 * families.size + 20 * (windows.length + redact.length + connections.length);

function resolve(policy: CompiledPolicy, name: string): ToolTraits {
  const own = policy.tools.get(name);
  const found = policy.discovered?.get(name);
  const { selectable, base, demanding, byHints } = classify(policy, name, own, found);
  // What one group makes of an unlisted tool must not take it out of another's reach, nor out of a third's that it is in
  // by what the second makes of it.
  const faces =
    own === undefined ? [base, selectable, ...demanding.map((category) => ({ ...base, category }))] : [selectable];
  const groups = policy.groups.filter(({ selector }) => faces.some((face) => selects(selector, face)));
  const named = groups.map((group) => group.settings);
  const sensitive =
    own?.sensitive ?? (named.some((one) => one.sensitive === true) || (byHints && found?.sensitive === true));
  // Of what loosens, or tells a person what a call does, those that hold whatever an unlisted tool is called.
  const sure = own === undefined ? groups.filter(({ selector }) => holdsUnnamed(selector, base)) : groups;
  const said = sure.map((group) => group.settings);
  const confirm = own?.confirm ?? groupConfirm(groups, sure);
  const firstTime = own?.firstTime ?? groupFirstTime(named, said);
  const hides = own?.hideFromApprover ?? unique(named.flatMap((one) => one.hideFromApprover ?? []));
  return {
    ...selectable,
    listed: own !== undefined,
    base,
    asks: confirm === undefined ? demanding.some((one) => asksFor(policy, one, sensitive)) : confirm === "ask",
    gate: firstTime ?? (policy.gates.requireFirstTime && demanding.includes("external")),
    roles: own?.roles ?? intersect(named.flatMap((one) => (one.roles ? [one.roles] : []))),
    requiresAuth: own?.requiresAuth ?? named.some((one) => one.requiresAuth === true),
    connections: unique([
      ...(own?.connection ? [own.connection] : named.flatMap((one) => one.connection ?? [])),
      ...(found?.connection ? [found.connection] : []),
    ]),
    confirm,
    windows: windowsFor(policy, name, own, groups),
    redact: unique([...(own?.redact ?? named.flatMap((one) => one.redact ?? [])), ...hides]),
    hideFromApprover: hides,
    reversible: own !== undefined && (own.reversible ?? every(named.map((one) => one.reversible))),
    undo: typeof own?.undo === "string" ? { tool: own.undo } : own?.undo,
    destination:
      own?.destination ??
      (unique(named.flatMap((one) => one.destination ?? [])).join(" and ") || found?.destination || placeOfRun(own)),
    sensitive,
    trusted: own !== undefined && (own.trusted ?? every(named.map((one) => one.trusted))),
    injection: injectionFor(policy, own, named),
    description: own?.description,
    parameters: own?.parameters && withoutMembers(own.parameters, Object.keys(systemOf(own))),
    disclosure: own?.disclosure ?? firstOf(said.map((one) => one.disclosure)),
    learnMore: own?.learnMore ?? firstOf(said.map((one) => one.learnMore)),
    preview: own?.preview ?? firstOf(said.map((one) => one.preview)),
    timeoutSeconds: own?.timeoutSeconds ?? shortest(named.flatMap((one) => one.timeoutSeconds ?? [])),
  };
}

/** Nobody tells a person where data goes, so the address does; and a yes to one address is none to another. */
const placeOfRun = (own: ToolSettings | undefined): string | undefined =>
  own?.run?.kind === "http" || own?.run?.kind === "builtin" ? own.run.url && hostOf(own.run.url) : undefined;

/** Whether a list that permits (a mode's `allow`, an intent's `tools`) names the tool. */
export function permittedBy(set: SelectorSet, tool: ToolTraits): boolean {
  return set.names.has(tool.name) || set.patterns.some((one) => selects(one, tool) && selects(one, tool.base));
}

/** Whether a list that forbids names the tool, with or without what groups made of it. */
export function forbiddenBy(set: SelectorSet, tool: ToolTraits): boolean {
  return selectsAny(set, tool) || selectsAny(set, tool.base);
}

interface Identity {
  readonly selectable: Selectable;
  readonly base: Selectable;
  /** The categories whose demands apply, all of them. */
  readonly demanding: readonly Category[];
  /** Whether the category is that of an MCP server's hints, of which no setting says anything else. */
  readonly byHints: boolean;
}

/** Families, then category, then class: a selector cannot set what it selects by, so each step has what it needs. */
function classify(
  policy: CompiledPolicy,
  name: string,
  own: ToolSettings | undefined,
  found: DiscoveredTool | undefined,
): Identity {
  const standard = found?.category ?? policy.unlistedTools;
  const unclassified: Selectable = {
    name,
    category: standard,
    class: found?.class ?? "destructive",
    families: new Set(),
  };
  const base = { ...unclassified, families: familiesOf(policy, unclassified, own) };

  const byName = policy.groups.filter((group) => group.selector.kind !== "category" && group.selector.kind !== "class");
  const raised = byName.flatMap((group) => (selects(group.selector, base) ? (group.settings.category ?? []) : []));
  const fallback = own === undefined || raised.length === 0 ? [standard] : [];
  const demanding = own?.category ? [own.category] : [...fallback, ...raised];
  const category = strictest(demanding, categories);
  const withCategory = { ...base, category };
  const classes = policy.groups.flatMap((group) =>
    group.selector.kind !== "class" && selects(group.selector, withCategory) ? (group.settings.class ?? []) : [],
  );
  if (own === undefined) {
    const safe = base.class === "safe" && category === standard && !classes.includes("destructive");
    const selectable: Selectable = { ...withCategory, class: safe ? "safe" : "destructive" };
    return { selectable, base, demanding, byHints: true };
  }
  // A category that only `unlistedTools` gave does not classify: unclassified means destructive.
  const classified = own.category !== undefined || raised.length > 0;
  const derived: ToolClass = classified ? (category === "read_only" ? "safe" : "destructive") : base.class;
  const grouped = own.category === undefined && classes.length > 0 ? strictest(classes, toolClasses) : derived;
  const selectable: Selectable = { ...withCategory, class: own.class ?? grouped };
  return { selectable, base: selectable, demanding, byHints: !classified };
}

function asksFor(policy: CompiledPolicy, category: Category, sensitive: boolean): boolean {
  switch (category) {
    case "read_only":
      return !policy.confirmation.autoConfirmReadOnly;
    case "note_taking":
      return !policy.confirmation.autoConfirmNoteTaking;
    case "modification":
      return true;
    case "external":
      return sensitive;
  }
}

/** @param loosening the groups that may loosen for this tool. */
function groupConfirm(groups: readonly Group[], loosening: readonly Group[]): "auto" | "ask" | undefined {
  if (groups.some((group) => group.settings.confirm === "ask")) return "ask";
  return loosening.some((group) => group.settings.confirm === "auto") ? "auto" : undefined;
}

/** Likewise for the first use. */
function groupFirstTime(settings: readonly ToolSettings[], loosening: readonly ToolSettings[]): boolean | undefined {
  if (settings.some((one) => one.firstTime === true)) return true;
  return loosening.some((one) => one.firstTime === false) ? false : undefined;
}

/** Whether the selector means the tool for what it is, and not for the name that somebody gave it. */
function holdsUnnamed(selector: Selector, base: Selectable): boolean {
  if (selector.kind === "all") return true;
  return (selector.kind === "category" || selector.kind === "class") && selects(selector, base);
}

function windowsFor(
  policy: CompiledPolicy,
  name: string,
  own: ToolSettings | undefined,
  groups: readonly Group[],
): readonly RateWindow[] {
  const ownWindows = [...windowsOf(`tool:${name}`, own?.rateLimits ?? []), ...(policy.toolWindows.get(name) ?? [])];
  if (own?.rateLimits !== undefined || policy.toolWindows.has(name)) return ownWindows;
  return groups.flatMap((group) => group.windows);
}

/** Of lists of roles the ones in all; undefined where there is no list. */
function intersect(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const [first, ...others] = lists;
  return first?.filter((role) => others.every((list) => list.includes(role)));
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

const firstOf = <T>(values: readonly (T | undefined)[]): T | undefined => values.find((value) => value !== undefined);

const shortest = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.min(...values);

/** True where somebody says so and nobody says otherwise. */
const every = (values: readonly (boolean | undefined)[]): boolean => values.includes(true) && !values.includes(false);

function strictest<T>(values: readonly T[], order: readonly T[]): T {
  const [first, ...others] = values;
  if (first === undefined) throw new Error("nothing to choose from");
  return others.reduce((strict, one) => (order.indexOf(one) > order.indexOf(strict) ? one : strict), first);
}
