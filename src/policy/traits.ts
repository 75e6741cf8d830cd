/**
 * Combines all that the policy sets for one tool: its own settings and those of its groups. Pure.
 *
 * A tool's own setting beats a group's. The settings of two groups both apply, and the stricter one decides.
 *
 * The client, or the author of an MCP server, chooses the names that the policy does not list. So settings that depend on
 * such a name may not loosen: for an unlisted tool groups can only add to what `unlistedTools` demands.
 *  - The class stays `destructive`: no selector, nor `unlistedTools`, makes an unlisted tool safe.
 *  - A group may raise the category, and the demands of both categories then apply: a glob that says `external` must
 *    not lift the question that `modification` asks.
 *  - `confirm: "auto"` and `"ungrounded"`, `arguments`, `firstTime: false`, `disclosure`, `learnMore` and `preview` count from `*`, and from a selector that
 *    applies whatever the name (the `category:…` and `class:…` of unlisted tools), not from a glob or a family. Otherwise a
 *    person could be shown what another tool does.
 *  - `trusted`, `directory` and `reversible` are never believed; `injection` can add sets but not except anything.
 *  - In a mode's `allow`, or in an intent's tools, a glob or a family admits an unlisted tool as `*` would, with all of
 *    the above. A category admits it only if the tool has that category both with and without its groups.
 *
 * With `unlistedTools: "infer"` the words of a tool that agree may take away the question that `modification` asks, and nothing else:
 * `base` stays `modification` (`infer/with-inferred.ts`).
 *
 * A tool that an MCP server lists (`discovered`) still counts as unlisted. Its hints, as far as the policy trusts them,
 * replace `unlistedTools`, and apply if no setting of a listed tool classifies it.
 */
import { boundedCache, CACHE_BYTES } from "../lib/bounded-cache.ts";
import type { LocalText } from "../lib/text/languages.ts";
import { unique } from "../lib/unique.ts";
import { type InjectionCheck, injectionFor } from "./arguments/injection.ts";
import { systemOf, withoutMembers } from "./arguments/system-arguments.ts";
import { type CompiledPolicy, type DiscoveredTool, type Group, windowsOf } from "./compile.ts";
import { destinationOf } from "./destination-of.ts";
import type { ToolSettings } from "./document/document-parts.ts";
import type { RateWindow } from "./facts.ts";
import { familiesOf } from "./families.ts";
import type { RoleSettings } from "./origin/roles/argument-roles.ts";
import { agreedTrust } from "./origin/sources/trust.ts";
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
import { type ToolRules, toolRulesOf } from "./tool-rules.ts";

export interface ToolTraits extends Selectable, ToolRules {
  /** Named in the policy's `tools`. */
  readonly listed: boolean;
  /** The tool as selectors that permit see it: for an unlisted tool, without the changes of its groups. */
  readonly base: Selectable;
  /** Whether a person must confirm each call, and whether the first use needs consent. */
  readonly needsConfirmation: boolean;
  readonly gate: boolean;
  /** Absent: every role. Empty: none. */
  readonly roles?: readonly string[];
  readonly requiresAuth: boolean;
  /** Providers that the user must have linked, all of them. */
  readonly connections: readonly string[];
  /** As set on the tool or its groups; absent: the category decides. */
  readonly confirm?: "auto" | "ungrounded" | "ask";
  readonly windows: readonly RateWindow[];
  /** Arguments that records leave out; includes `hideFromApprover`. */
  readonly redact: readonly string[];
  /** Arguments that even the approver does not see. */
  readonly hideFromApprover: readonly string[];
  readonly reversible: boolean;
  readonly undo?: UndoSettings;
  readonly destination?: string;
  /** The same in the languages that the policy has it in. */
  readonly destinationText?: LocalText;
  readonly sensitive: boolean;
  readonly trusted: boolean;
  /** Patterns of the trusted fields, if the results are not trusted whole. */
  readonly trustedFields: readonly string[];
  /** Its results list the receivers that calls may go to. */
  readonly directory: boolean;
  /** The policy's own roles of arguments, by name or pattern. */
  readonly arguments: RoleSettings;
  readonly injection: InjectionCheck;
  readonly description?: string;
  /** Without the members that the gateway sets. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The policy's own words for the effect of a call, and for `learn more`. */
  readonly disclosure?: ToolSettings["disclosure"];
  readonly learnMore?: ToolSettings["learnMore"];
  /** JSON pointers to the arguments that hold the text before and after. */
  readonly preview?: ToolSettings["preview"];
  /** How long the stream is held for an answer; absent: as the policy's `confirmation` says. */
  readonly timeoutSeconds?: number;
}

/** How a tool is undone. */
export interface UndoSettings {
  readonly tool: string;
  /** By name: a text, or `{{result.path}}` or `{{arguments.path}}` of the call that is undone; absent: found by name. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

/** The traits of listed tools live as long as their policy. */
const listedTraits = new WeakMap<CompiledPolicy, { readonly id: number; readonly byName: Map<string, ToolTraits> }>();
let lastId = 0;
/** Traits of unlisted tools, shared by all policies and bounded: clients choose these names. */
const unlistedTraits = boundedCache<ToolTraits>({ maxBytes: CACHE_BYTES.traits });

export function traitsOf(policy: CompiledPolicy, toolName: string): ToolTraits {
  let known = listedTraits.get(policy);
  if (!known) {
    lastId += 1;
    known = { id: lastId, byName: new Map() };
    listedTraits.set(policy, known);
  }
  const key = `${known.id} ${toolName}`;
  const cached = known.byName.get(toolName) ?? unlistedTraits.get(key);
  if (cached) return cached;
  const traits = resolve(policy, toolName);
  if (traits.listed) known.byName.set(toolName, traits);
  else unlistedTraits.set(key, traits, bytesOf(traits));
  return traits;
}

/** Memory of an unlisted tool's traits, besides parts of its policy. */
const bytesOf = ({ families, windows, redact, connections }: ToolTraits): number =>
  2_000 + 100 * families.size + 20 * (windows.length + redact.length + connections.length);

function resolve(policy: CompiledPolicy, name: string): ToolTraits {
  const own = policy.tools.get(name);
  const discovered = policy.discovered?.get(name);
  const { selectable, base, demanding, byHints } = classify(policy, name, own, discovered);
  // The changes of one group must not take an unlisted tool out of another group's reach: all its variants are matched.
  const variants =
    own === undefined ? [base, selectable, ...demanding.map((category) => ({ ...base, category }))] : [selectable];
  const groups = policy.groups.filter(({ selector }) => variants.some((variant) => selects(selector, variant)));
  const settings = groups.map((group) => group.settings);
  // Groups that may loosen, or describe a call to a person: those that apply whatever the name of an unlisted tool.
  const trustedGroups = own === undefined ? groups.filter(({ selector }) => holdsUnnamed(selector, base)) : groups;
  const trustedSettings = trustedGroups.map((group) => group.settings);
  const sensitive =
    own?.sensitive ?? (settings.some((one) => one.sensitive === true) || (byHints && discovered?.sensitive === true));
  const confirm =
    own?.confirm ??
    groupSetting("confirm", [settings, "ask"], [trustedSettings, "ungrounded"]) ??
    groupSetting("confirm", [settings, "ask"], [trustedSettings, "auto"]);
  const trust = own === undefined ? undefined : (own.trusted ?? agreedTrust(settings.map((one) => one.trusted)));
  const firstTime = own?.firstTime ?? groupSetting("firstTime", [settings, true], [trustedSettings, false]);
  const hideFromApprover = own?.hideFromApprover ?? unique(settings.flatMap((one) => one.hideFromApprover ?? []));
  return {
    ...selectable,
    listed: own !== undefined,
    base,
    needsConfirmation:
      confirm === undefined ? demanding.some((one) => asksFor(policy, one, sensitive)) : confirm === "ask",
    gate: firstTime ?? (policy.gates.requireFirstTime && demanding.includes("external")),
    roles: own?.roles ?? intersect(settings.flatMap((one) => (one.roles ? [one.roles] : []))),
    requiresAuth: own?.requiresAuth ?? settings.some((one) => one.requiresAuth === true),
    connections: unique([
      ...(own?.connection ? [own.connection] : settings.flatMap((one) => one.connection ?? [])),
      ...(discovered?.connection ? [discovered.connection] : []),
    ]),
    confirm,
    windows: windowsFor(policy, name, own, groups),
    redact: unique([...(own?.redact ?? settings.flatMap((one) => one.redact ?? [])), ...hideFromApprover]),
    hideFromApprover,
    reversible: own !== undefined && (own.reversible ?? agree(settings.map((one) => one.reversible))),
    undo: typeof own?.undo === "string" ? { tool: own.undo } : own?.undo,
    ...destinationOf(own, settings, discovered),
    sensitive,
    trusted: trust === true,
    trustedFields: typeof trust === "object" ? trust : [],
    directory: own !== undefined && (own.directory ?? agree(settings.map((one) => one.directory))),
    arguments: Object.assign({}, ...trustedSettings.map((one) => one.arguments ?? {}), own?.arguments ?? {}),
    injection: injectionFor(policy, own, settings),
    ...toolRulesOf(name, own, groups),
    description: own?.description,
    parameters: own?.parameters && withoutMembers(own.parameters, Object.keys(systemOf(own))),
    disclosure: own?.disclosure ?? firstOf(trustedSettings, "disclosure"),
    learnMore: own?.learnMore ?? firstOf(trustedSettings, "learnMore"),
    preview: own?.preview ?? firstOf(trustedSettings, "preview"),
    timeoutSeconds: own?.timeoutSeconds ?? shortest(settings.flatMap((one) => one.timeoutSeconds ?? [])),
  };
}

/** Whether a list that permits (a mode's `allow`, an intent's `tools`) names the tool. */
export function permittedBy(set: SelectorSet, tool: ToolTraits): boolean {
  return set.names.has(tool.name) || set.patterns.some((one) => selects(one, tool) && selects(one, tool.base));
}

/** Whether a list that forbids names the tool, with or without what groups made of it. */
export function forbiddenBy(set: SelectorSet, tool: ToolTraits): boolean {
  return selectsAny(set, tool) || selectsAny(set, tool.base);
}

interface Classification {
  readonly selectable: Selectable;
  readonly base: Selectable;
  /** The categories whose demands apply, all of them. */
  readonly demanding: readonly Category[];
  /** Whether only an MCP server's hints give the category. */
  readonly byHints: boolean;
}

/** Families, then category, then class: a selector cannot set what it selects by, so each step has what it needs. */
function classify(
  policy: CompiledPolicy,
  name: string,
  own: ToolSettings | undefined,
  discovered: DiscoveredTool | undefined,
): Classification {
  const standard = discovered?.category ?? policy.unlistedTools;
  const cls = discovered?.class ?? "destructive";
  const unclassified: Selectable = { name, category: standard, class: cls, families: new Set() };
  const base = { ...unclassified, families: familiesOf(policy, unclassified, own) };

  const byName = policy.groups.filter((group) => group.selector.kind !== "category" && group.selector.kind !== "class");
  const raised = byName.flatMap((group) => (selects(group.selector, base) ? (group.settings.category ?? []) : []));
  const inferred = own === undefined && !discovered ? policy.inferred?.get(name) : undefined;
  const fallback = own === undefined || raised.length === 0 ? (inferred ?? [standard]) : [];
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

/** The strict value if any group sets it; the loose one if a group that may loosen sets it. */
function groupSetting<K extends "confirm" | "firstTime", V extends NonNullable<ToolSettings[K]>>(
  key: K,
  [settings, strict]: readonly [readonly ToolSettings[], V],
  [loosening, loose]: readonly [readonly ToolSettings[], V],
): V | undefined {
  if (settings.some((one) => one[key] === strict)) return strict;
  return loosening.some((one) => one[key] === loose) ? loose : undefined;
}

/** Whether the selector applies whatever the name of the tool. */
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

/** The roles that are in every list; undefined if there is no list. */
function intersect(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const [first, ...others] = lists;
  return first?.filter((role) => others.every((list) => list.includes(role)));
}

const firstOf = <K extends keyof ToolSettings>(
  settings: readonly ToolSettings[],
  key: K,
): ToolSettings[K] | undefined => settings.find((one) => one[key] !== undefined)?.[key];

const shortest = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : Math.min(...values);

/** True if at least one group says so and none says otherwise. */
const agree = (values: readonly (boolean | undefined)[]): boolean => values.includes(true) && !values.includes(false);

/** @param values never empty. */
const strictest = <T>(values: readonly T[], order: readonly T[]): T =>
  values.reduce((strict, one) => (order.indexOf(one) > order.indexOf(strict) ? one : strict));
