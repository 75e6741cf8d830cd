/** Lists all tools that a policy distinguishes: each that it lists, and one of each kind of the others. Pure. */
import { NO_MEMBERS } from "../../lib/json/json-schema.ts";
import type { CompiledPolicy } from "../compile.ts";
import type { Invariant } from "../document/invariant-parts.ts";
import type { ToolDefinition } from "../facts.ts";
import { inferredCategories, withInferred } from "../infer/with-inferred.ts";
import { discoveredTool, mcpToolName } from "../mcp-tools.ts";
import { compileSelectors, type SelectorSet } from "../selectors.ts";
import { forbiddenBy, type ToolTraits, traitsOf } from "../traits.ts";
import { globsAmong, namesMeant, unlistedNames } from "./unlisted-names.ts";

export interface ToolKind {
  /** As in a turn with this tool: with its server's hints, or with what is inferred from its words. */
  readonly policy: CompiledPolicy;
  readonly traits: ToolTraits;
  readonly definition: ToolDefinition;
  /** The request brings its definition; else the gateway or a server does. */
  readonly isClients: boolean;
}

const OPEN = { type: "object" };

/** The hints of a server: all that `discoveredTool` distinguishes. */
const HINTS: readonly unknown[] = [
  {},
  { readOnlyHint: true },
  { openWorldHint: false },
  { openWorldHint: false, readOnlyHint: true },
  { openWorldHint: false, destructiveHint: false },
];

export function* listedTools(policy: CompiledPolicy): Generator<ToolKind> {
  for (const [name, { run }] of policy.tools) {
    const judging = discoveredAs(policy, name);
    for (const one of judging.length > 0 ? judging : [policy]) yield kindOf(one, name, run === undefined, OPEN);
  }
}

/** @returns undefined if the policy distinguishes more names than `most`. */
export function unlistedTools(
  policy: CompiledPolicy,
  invariants: readonly Invariant[],
  most: number,
): readonly ToolKind[] | undefined {
  if (policy.deniesUnlisted) return [];
  const names = unlistedNames(policy, nameTexts(policy, invariants), most);
  return names?.flatMap((name) => kindsOfName(policy, name));
}

function kindsOfName(policy: CompiledPolicy, name: string): ToolKind[] {
  const discovered = discoveredAs(policy, name);
  if (discovered.length > 0) return discovered.map((one) => kindOf(one, name, false, OPEN));
  const plain = kindOf(policy, name, true, OPEN);
  const handoff = forbiddenBy(policy.handoffs, plain.traits) ? [kindOf(policy, name, true, NO_MEMBERS)] : [];
  if (!policy.infersUnlisted) return [plain, ...handoff];
  const inferred = inferredCategories.map((categories) =>
    kindOf({ ...policy, inferred: new Map([[name, categories]]) }, name, true, OPEN),
  );
  return [...readers(policy, name), ...inferred, ...handoff];
}

/** A name and a description from which a reader is inferred: a simulation must have the same outcome. */
function readers(policy: CompiledPolicy, filler: string): ToolKind[] {
  const name = `get_${filler}`;
  const definition = { name, description: "Returns the weather of a city.", parameters: OPEN, wire: null };
  if (policy.tools.has(name)) return [];
  const judging = withInferred(policy, [definition]);
  return [{ policy: judging, traits: traitsOf(judging, name), definition, isClients: true }];
}

function kindOf(policy: CompiledPolicy, name: string, isClients: boolean, parameters: unknown): ToolKind {
  const traits = traitsOf(policy, name);
  const description = traits.description === undefined ? {} : { description: traits.description };
  const given = traits.parameters ?? parameters;
  return { policy, traits, isClients, definition: { name, ...description, parameters: given, wire: null } };
}

/** The policy with the tool as a server's own, once for each hint that counts. */
function discoveredAs(policy: CompiledPolicy, name: string): readonly CompiledPolicy[] {
  const server = [...policy.mcpServers].find(([server]) => name.startsWith(mcpToolName(server, "")));
  if (server === undefined) return [];
  const [key, settings] = server;
  const hints = settings.trustAnnotations ? HINTS : [{}];
  return hints.map((hint) => ({ ...policy, discovered: new Map([[name, discoveredTool(hint, key, settings)]]) }));
}

/** Names and globs that could loosen something for a tool that meets them, or that an invariant is about. */
function nameTexts(policy: CompiledPolicy, invariants: readonly Invariant[]): readonly string[] {
  const { modes, intents, families, groups, handoffs, mcpServers } = policy;
  const sets: SelectorSet[] = [
    ...[...modes.values()].map(({ allow }) => allow),
    ...[...intents.values()].flatMap(({ tools }) => tools ?? []),
    ...families.map(({ members }) => members),
    handoffs,
  ];
  return [
    ...sets.flatMap(({ names, patterns }) => [...names, ...globsAmong(patterns)]),
    ...groups.flatMap(({ selector }) => globsAmong([selector])),
    ...invariants.flatMap(({ never }) => namesMeant(never.tool)),
    ...[...mcpServers.keys()].map((server) => mcpToolName(server, "*")),
  ];
}

/** Whether the invariant is about the tool. A group's change of its category does not take it out of reach. */
export function isAbout(invariant: Invariant, { traits }: ToolKind): boolean {
  const { tool, category, class: cls, family } = invariant.never;
  const { listed } = invariant.when;
  if (listed !== undefined && listed !== traits.listed) return false;
  const texts = [
    tool,
    category && `category:${category}`,
    cls && `class:${cls}`,
    family === undefined ? undefined : `family:${family}`,
  ];
  return texts.every((text) => text === undefined || forbiddenBy(compileSelectors([text]), traits));
}
