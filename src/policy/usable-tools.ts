/**
 * Which tools a principal could use at all: in a mode that its role may use, under an intent that the policy has, or because
 * the application demands it. Pure. Asks the very rules that make the offer; the counted ones take no part.
 */
import { err, ok, type Result } from "../lib/result.ts";
import { type WorkBudget, workBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Decision } from "./decision.ts";
import type { Facts, ToolDefinition } from "./facts.ts";
import { mcpToolName } from "./mcp-tools.ts";
import type { Reason } from "./reasons.ts";
import { decide, foldRules, judgeAll } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { type ToolTraits, traitsOf } from "./traits.ts";

/** Rules of the one kind look at nothing that the other's verdict depends on, so each is asked by itself. */
const taskIndependent = rules.filter(({ dependsOnTask }) => !dependsOnTask);
const taskRules = rules.filter(({ dependsOnTask }) => dependsOnTask);

export interface Asking extends Pick<Facts, "now" | "principal" | "changedDefinitions"> {
  /** Those that are asked about. */
  readonly modes: readonly string[];
  /** No application can demand one by `tool_choice`, as in a plan, so that without an intent only what is safe is of use. */
  readonly undemanded?: true;
  readonly work: WorkBudget;
}

export interface UsableTool {
  readonly definition: ToolDefinition;
  readonly traits: ToolTraits;
  /** Of the modes asked about, those that permit it. */
  readonly modes: readonly string[];
  /** Those that permit it; absent where every intent does. */
  readonly intents?: readonly string[];
  /** Providers that must be linked before it is offered. */
  readonly missing: readonly string[];
}

export interface UsableTools {
  readonly usable: readonly UsableTool[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly Reason[] }[];
}

/** @param definitions no two of one name. */
export function usableTools(
  policy: CompiledPolicy,
  asking: Asking,
  definitions: readonly ToolDefinition[],
): UsableTools {
  const usable: UsableTool[] = [];
  const withheld: { name: string; reasons: readonly Reason[] }[] = [];
  for (const definition of definitions) {
    const judged = judge(policy, asking, definition);
    if (judged.ok) usable.push(judged.value);
    else withheld.push({ name: definition.name, reasons: judged.error });
  }
  return { usable, withheld };
}

/** Whether a tool may be spoken of to the principal. */
export const couldUse = (policy: CompiledPolicy, asking: Asking, tool: string): boolean =>
  judge(policy, asking, { name: tool, wire: undefined }).ok;

/** The error: why it is withheld. */
function judge(
  policy: CompiledPolicy,
  asking: Asking,
  definition: ToolDefinition,
): Result<UsableTool, readonly Reason[]> {
  const traits = traitsOf(policy, definition.name);
  const { open, reasons } = inModes(policy, asking, definition, traits);
  if (open.length === 0) return err(reasons);
  const permits = (facts: Partial<Facts>): boolean => {
    const subject = { policy, facts: { ...factsOf(asking), ...facts }, traits, definition, work: asking.work };
    return judgeAll(taskRules, subject).every(({ kind }) => kind !== "deny");
  };
  const known = [...policy.intents.keys()];
  const intents = known.filter((intent) => permits({ intents: [intent] }));
  const state = policy.handshake.select === "off" ? "action" : "request";
  const needsNone = permits({ state }) || (!asking.undemanded && permits({ state, forcedTool: traits.name }));
  if (!needsNone && intents.length === 0) return err([{ code: "intent_forbids", tool: traits.name, intents: known }]);
  const missing = traits.connections.filter((provider) => !asking.principal.connections.includes(provider));
  const narrowed = intents.length < known.length ? { intents } : {};
  return ok({ definition, traits, modes: open, ...narrowed, missing });
}

const factsOf = ({ now, principal, changedDefinitions, modes: [mode = "default"] }: Asking): Facts => ({
  now,
  principal,
  changedDefinitions,
  mode,
  state: "action",
  intents: [],
});

/** A provider that is not linked keeps a tool from nobody who may link it. */
function inModes(policy: CompiledPolicy, asking: Asking, definition: ToolDefinition, traits: ToolTraits) {
  const open: string[] = [];
  const reasons = new Map<string, Reason>();
  let permitted = false;
  for (const mode of asking.modes) {
    const subject = { policy, facts: { ...factsOf(asking), mode }, traits, definition, work: asking.work };
    const told = decide(judgeAll(taskIndependent, subject), subject).reasons;
    const objections = told.filter(({ code }) => code !== "connection_missing");
    if (objections.length === 0) open.push(mode);
    if (!objections.some(({ code }) => code === "mode_forbids")) permitted = true;
    for (const reason of objections) reasons.set(JSON.stringify(reason), reason);
  }
  // What one mode forbids and another does not is not why.
  const why = [...reasons.values()].filter(({ code }) => !permitted || code !== "mode_forbids");
  return { open, reasons: why };
}

/** In the policy's order. @param managed names of those that the gateway runs. */
export function clientDefinitions(policy: CompiledPolicy, managed: ReadonlySet<string>): readonly ToolDefinition[] {
  const servers = Object.keys(policy.mcpServers).map((server) => mcpToolName(server, ""));
  return [...policy.tools].flatMap(([name, { run }]) => {
    const { description, parameters } = traitsOf(policy, name);
    // One that a server does not have just now is nobody else's.
    if (run || !parameters || managed.has(name) || servers.some((prefix) => name.startsWith(prefix))) return [];
    const told = description === undefined ? { name, parameters } : { name, description, parameters };
    return [{ ...told, wire: { type: "function", function: told } }];
  });
}

/** A state of a session that no request has brought. */
export interface Situation {
  readonly role: string;
  readonly mode: string;
  readonly intents: readonly string[];
  /** Providers that the user has linked. */
  readonly connections: readonly string[];
}

/** Whether the rules would offer the tool to a user who is signed in. */
export function decideFor(policy: CompiledPolicy, tool: string, situation: Situation): Decision {
  const { role, mode, intents, connections } = situation;
  const acts = intents.length > 0 || policy.handshake.select === "off";
  return foldRules(rules, {
    policy,
    traits: traitsOf(policy, tool),
    definition: { name: tool, wire: null },
    work: workBudget(),
    facts: {
      now: 0,
      principal: { tenant: "", user: "", role, authenticated: true, connections },
      mode,
      state: acts ? "action" : "reasoning",
      intents,
      changedDefinitions: new Set(),
    },
  });
}
