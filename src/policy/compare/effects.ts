/**
 * Where one policy offers a tool that the other withholds: by role, mode, and intent or none. The rules of the offer decide, for a
 * user who is signed in and has linked every provider. Pure.
 */
import type { Piecework } from "../../lib/concurrency.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import { foldRules } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import { traitsOf } from "../traits.ts";

export interface EffectChange {
  /** `*`: every role. */
  readonly role: string;
  /** `*`: every mode that both policies have. */
  readonly mode: string;
  /** Given where the task has no intent. */
  readonly state?: "reasoning" | "action";
  /** Given where it has one; `*`: every intent that both policies have. */
  readonly intent?: string;
  readonly before: "offered" | "withheld";
  readonly after: "offered" | "withheld";
  /** Codes of the reasons on the side that withholds it. */
  readonly reasons: readonly string[];
}

/** The values that both policies have; of roles, those that either has. */
export interface Situations {
  readonly role: readonly string[];
  readonly mode: readonly string[];
  readonly intent: readonly string[];
  readonly count: number;
}

/** Modes and intents of one policy alone count as added or removed, and are not compared tool by tool. */
export function situationsOf(before: CompiledPolicy, after: CompiledPolicy): Situations {
  const role = [...new Set([...before.roles, ...after.roles])].sort();
  const mode = [...before.modes.keys()].filter((name) => after.modes.has(name)).sort();
  const intent = [...before.intents.keys()].filter((name) => after.intents.has(name)).sort();
  return { role, mode, intent, count: role.length * mode.length * (intent.length + 1) };
}

export function* effectChanges(
  before: CompiledPolicy,
  after: CompiledPolicy,
  tool: string,
  situations: Situations,
): Piecework<EffectChange[]> {
  const connections = [...traitsOf(before, tool).connections, ...traitsOf(after, tool).connections];
  const state = before.handshake.select === "off" && after.handshake.select === "off" ? "action" : "reasoning";
  const changes: EffectChange[] = [];
  for (const role of situations.role) {
    for (const mode of situations.mode) {
      for (const intent of [undefined, ...situations.intent]) {
        yield 100;
        const situation = { role, mode, intent, connections };
        const [was, is] = [withheldFor(before, tool, situation), withheldFor(after, tool, situation)];
        if ((was === undefined) === (is === undefined)) continue;
        changes.push({
          role,
          mode,
          ...(intent === undefined ? { state } : { intent }),
          before: was ? "withheld" : "offered",
          after: is ? "withheld" : "offered",
          reasons: was ?? is ?? [],
        });
      }
    }
  }
  return (["role", "mode", "intent"] as const).reduce(
    (all, dimension) => collapse(all, dimension, situations[dimension]),
    changes,
  );
}

interface Situation {
  readonly role: string;
  readonly mode: string;
  readonly intent: string | undefined;
  readonly connections: readonly string[];
}

/** The codes of the reasons; undefined where the tool is offered. */
function withheldFor(
  policy: CompiledPolicy,
  name: string,
  { role, mode, intent, connections }: Situation,
): readonly string[] | undefined {
  const acts = intent !== undefined || policy.handshake.select === "off";
  const decision = foldRules(rules, {
    policy,
    traits: traitsOf(policy, name),
    definition: { name, wire: null },
    work: workBudget(),
    facts: {
      now: 0,
      principal: { tenant: "", user: "", role, authenticated: true, connections },
      mode,
      state: acts ? "action" : "reasoning",
      intents: intent === undefined ? [] : [intent],
      changedDefinitions: new Set(),
    },
  });
  return decision.effect === "deny" ? [...new Set(decision.reasons.map(({ code }) => code))] : undefined;
}

/** Replaces changes that differ in one dimension alone, and together have all its values, by one with `*`. */
function collapse(
  changes: readonly EffectChange[],
  dimension: "role" | "mode" | "intent",
  values: readonly string[],
): EffectChange[] {
  // A single value keeps its name.
  if (values.length < 2) return [...changes];
  const groups = Map.groupBy(changes, (change) =>
    JSON.stringify([change[dimension] === undefined, { ...change, [dimension]: "" }]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const isWhole = first?.[dimension] !== undefined && group.length === values.length;
    return isWhole ? [{ ...first, [dimension]: "*" }] : group;
  });
}
