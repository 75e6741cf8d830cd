/** Decides which tools of a request the model gets. Pure. Counted rules do not count here: they decide on calls. */
import type { WorkBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Facts, ToolDefinition } from "./facts.ts";
import { type HandshakeOffer, offerHandshake } from "./handshake.ts";
import type { Reason } from "./reasons.ts";
import { decide, judgeAll, type Subject } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import { type ToolTraits, traitsOf } from "./traits.ts";

export interface WithheldTool {
  readonly name: string;
  readonly reasons: readonly Reason[];
}

/** The tools sent to the model in one step, and those withheld. The calls of the step are vetted against it. */
export interface Offer {
  /** In the client's order. */
  readonly offered: readonly ToolDefinition[];
  readonly withheld: readonly WithheldTool[];
  readonly handshake?: HandshakeOffer;
  /** Names of the tools offered, and of the handshake. */
  readonly callable: ReadonlySet<string>;
}

/**
 * @param tools the request's, as it defines them, and the managed ones.
 * @param work of the request: a tool whose schema is too costly to read is withheld.
 */
export function offerTools(
  policy: CompiledPolicy,
  facts: Facts,
  tools: readonly ToolDefinition[],
  work: WorkBudget,
): Offer {
  const repeated = namesGivenTwice(tools);
  const offered: ToolDefinition[] = [];
  const withheld: WithheldTool[] = [];
  const actionable: ToolTraits[] = [];
  for (const definition of tools) {
    const { name } = definition;
    // A call could mean either of the two. The surfaces answer 400; here neither is offered.
    if (repeated.has(name)) {
      withheld.push({ name, reasons: [{ code: "definition_changed", tool: name }] });
      continue;
    }
    const traits = traitsOf(policy, name);
    const judged = judge({ policy, facts, traits, definition, work });
    if (judged.actionable) actionable.push(traits);
    if (judged.reasons === undefined) offered.push(asOffered(definition, traits));
    else withheld.push({ name, reasons: judged.reasons });
  }
  const handshake = tools.length > 0 ? offerHandshake(policy, actionable, facts.selectable) : undefined;
  const callable = new Set(offered.map((tool) => tool.name));
  if (handshake) callable.add(handshake.name);
  return { offered, withheld, handshake, callable };
}

/** Whether the rules offer the same under both facts. Facts that only decide on calls, and the time, do not count. */
export function offersAlike(one: Facts, other: Facts): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)] as (keyof Facts)[]).difference(ASKED_OF_CALLS);
  return [...names].every((name) => isSame(one[name], other[name]));
}

const ASKED_OF_CALLS: ReadonlySet<keyof Facts> = new Set(["now", "untrustedSources", "allSources", "instructions"]);

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(listed(one)) === JSON.stringify(listed(other));

const listed = (value: unknown): unknown => (value instanceof Set ? [...value] : value);

/** `reasons` if the tool is withheld; `actionable`: every rule that does not depend on the task permits the tool. */
function judge(subject: Subject): { reasons?: readonly Reason[]; actionable: boolean } {
  const verdicts = judgeAll(rules, subject);
  const decision = decide(verdicts, subject);
  if (decision.effect !== "deny") return { actionable: true };
  const taskIndependent = verdicts.filter((_, index) => !rules[index]?.dependsOnTask);
  return { reasons: decision.reasons, actionable: decide(taskIndependent, subject).effect !== "deny" };
}

/** The client's bytes, unless the policy gives the parameters or the description. */
function asOffered(definition: ToolDefinition, traits: ToolTraits): ToolDefinition {
  if (traits.parameters === undefined && traits.description === undefined) return definition;
  if (isPolicysOwn(definition, traits)) return definition;
  const { name } = definition;
  const description = traits.description ?? definition.description;
  const parameters = traits.parameters ?? definition.parameters;
  const strict = traits.parameters === undefined ? strictOf(definition.wire) : {};
  return {
    name,
    description,
    parameters,
    wire: {
      type: "function",
      function: {
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters }),
        ...strict,
      },
    },
  };
}

/** A managed tool's definition, made from the policy: a client's never holds the same object. */
const isPolicysOwn = ({ parameters, description }: ToolDefinition, traits: ToolTraits): boolean =>
  parameters !== undefined && parameters === traits.parameters && (traits.description ?? description) === description;

/** A client's `strict` belongs to its own schema and goes with it. */
function strictOf(wire: unknown): { strict?: boolean } {
  const fn = (wire as { function?: { strict?: unknown } } | null | undefined)?.function;
  return typeof fn?.strict === "boolean" ? { strict: fn.strict } : {};
}

function namesGivenTwice(tools: readonly ToolDefinition[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { name } of tools) (seen.has(name) ? twice : seen).add(name);
  return twice;
}
