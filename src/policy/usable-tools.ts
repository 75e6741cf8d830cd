/**
 * Finds the tools that a principal could use at all: in a mode of its role, under an intent of the policy, or because the
 * application demands them. Pure. The rules of the offer decide; counted rules do not count.
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

/** The two kinds of rules look at different facts, so each kind is judged separately. */
const taskIndependent = rules.filter(({ dependsOnTask }) => !dependsOnTask);
const taskRules = rules.filter(({ dependsOnTask }) => dependsOnTask);

export interface UsableToolsRequest extends Pick<Facts, "now" | "principal" | "changedDefinitions"> {
  readonly modes: readonly string[];
  /** No application can demand a tool by `tool_choice`, as in a plan: without an intent only safe tools are usable. */
  readonly noForcedTool?: true;
  readonly work: WorkBudget;
}

export interface UsableTool {
  readonly definition: ToolDefinition;
  readonly traits: ToolTraits;
  /** Those of the given modes that permit it. */
  readonly modes: readonly string[];
  /** The intents that permit it; absent if every intent does. */
  readonly intents?: readonly string[];
  /** Providers that must be linked before it is offered. */
  readonly missing: readonly string[];
}

interface UsableTools {
  readonly usable: readonly UsableTool[];
  readonly withheld: readonly { readonly name: string; readonly reasons: readonly Reason[] }[];
}

/** @param definitions no two of one name. */
export function usableTools(
  policy: CompiledPolicy,
  request: UsableToolsRequest,
  definitions: readonly ToolDefinition[],
): UsableTools {
  const usable: UsableTool[] = [];
  const withheld: { name: string; reasons: readonly Reason[] }[] = [];
  for (const definition of definitions) {
    const judged = judge(policy, request, definition);
    if (judged.ok) usable.push(judged.value);
    else withheld.push({ name: definition.name, reasons: judged.error });
  }
  return { usable, withheld };
}

/** Whether the principal may learn of the tool. */
export const couldUse = (policy: CompiledPolicy, request: UsableToolsRequest, tool: string): boolean =>
  judge(policy, request, { name: tool, wire: undefined }).ok;

/** The error has the reasons for which it is withheld. */
function judge(
  policy: CompiledPolicy,
  request: UsableToolsRequest,
  definition: ToolDefinition,
): Result<UsableTool, readonly Reason[]> {
  const traits = traitsOf(policy, definition.name);
  const { open, reasons } = inModes(policy, request, definition, traits);
  if (open.length === 0) return err(reasons);
  const permits = (facts: Partial<Facts>): boolean => {
    const subject = { policy, facts: { ...factsOf(request), ...facts }, traits, definition, work: request.work };
    return judgeAll(taskRules, subject).every(({ kind }) => kind !== "deny");
  };
  const known = [...policy.intents.keys()];
  const intents = known.filter((intent) => permits({ intents: [intent] }));
  const state = policy.handshake.select === "off" ? "action" : "request";
  const needsNone = permits({ state }) || (!request.noForcedTool && permits({ state, forcedTool: traits.name }));
  if (!needsNone && intents.length === 0) return err([{ code: "intent_forbids", tool: traits.name, intents: known }]);
  const missing = traits.connections.filter((provider) => !request.principal.connections.includes(provider));
  const narrowed = intents.length < known.length ? { intents } : {};
  return ok({ definition, traits, modes: open, ...narrowed, missing });
}

const factsOf = ({ now, principal, changedDefinitions, modes: [mode = "default"] }: UsableToolsRequest): Facts => ({
  now,
  principal,
  changedDefinitions,
  mode,
  state: "action",
  intents: [],
});

/** A provider that is not linked yet is no objection: the user may link it. */
function inModes(policy: CompiledPolicy, request: UsableToolsRequest, definition: ToolDefinition, traits: ToolTraits) {
  const open: string[] = [];
  const reasons = new Map<string, Reason>();
  let permitted = false;
  for (const mode of request.modes) {
    const subject = { policy, facts: { ...factsOf(request), mode }, traits, definition, work: request.work };
    const { reasons: all } = decide(judgeAll(taskIndependent, subject), subject);
    const objections = all.filter(({ code }) => code !== "connection_missing");
    if (objections.length === 0) open.push(mode);
    if (!objections.some(({ code }) => code === "mode_forbids")) permitted = true;
    for (const reason of objections) reasons.set(JSON.stringify(reason), reason);
  }
  // A mode is no reason if another mode permits the tool.
  const why = [...reasons.values()].filter(({ code }) => !permitted || code !== "mode_forbids");
  return { open, reasons: why };
}

/** In the policy's order. @param managed names of those that the gateway runs. */
export function clientDefinitions(policy: CompiledPolicy, managed: ReadonlySet<string>): readonly ToolDefinition[] {
  const servers = [...policy.mcpServers.keys()].map((server) => mcpToolName(server, ""));
  return [...policy.tools].flatMap(([name, { run }]) => {
    const { description, parameters } = traitsOf(policy, name);
    // A tool of a server belongs only to it, even while the server does not offer it.
    if (run || !parameters || managed.has(name) || servers.some((prefix) => name.startsWith(prefix))) return [];
    const fn = description === undefined ? { name, parameters } : { name, description, parameters };
    return [{ ...fn, wire: { type: "function", function: fn } }];
  });
}

/** A possible state of a session, without a request. */
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
