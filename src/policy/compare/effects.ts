/**
 * Where a tool is offered under one policy and withheld under the other: by role, mode, and the intent held or none. Asked
 * of the very rules that make the offer, for somebody who is known and has linked every provider. Pure.
 */

import type { Piecework } from "../../lib/concurrency.ts";
import { workBudget } from "../../lib/work-budget.ts";
import type { CompiledPolicy } from "../compile.ts";
import { foldRules } from "../rules/fold.ts";
import { rules } from "../rules/index.ts";
import { traitsOf } from "../traits.ts";
import { collapse } from "./collapse.ts";

export interface EffectChange {
  /** `*`: every role. */
  readonly role: string;
  /** `*`: every mode that both policies have. */
  readonly mode: string;
  /** Given where no intent is held. */
  readonly state?: "reasoning" | "action";
  /** Given where one is; `*`: every intent that both policies have. */
  readonly intent?: string;
  readonly before: "offered" | "withheld";
  readonly after: "offered" | "withheld";
  /** Codes of the reasons why it is withheld, on the side where it is. */
  readonly reasons: readonly string[];
}

export interface Situations {
  readonly roles: readonly string[];
  readonly modes: readonly string[];
  readonly intents: readonly string[];
  readonly count: number;
}

/** Modes and intents that only one of the policies has are told as added or removed, not tool by tool. */
export function situationsOf(before: CompiledPolicy, after: CompiledPolicy): Situations {
  const roles = [...new Set([...before.roles, ...after.roles])].sort();
  const modes = [...before.modes.keys()].filter((name) => after.modes.has(name)).sort();
  const intents = [...before.intents.keys()].filter((name) => after.intents.has(name)).sort();
  return { roles, modes, intents, count: roles.length * modes.length * (intents.length + 1) };
}

export function* effectChanges(
  before: CompiledPolicy,
  after: CompiledPolicy,
  tool: string,
  { roles, modes, intents }: Situations,
): Piecework<EffectChange[]> {
  const connections = [...traitsOf(before, tool).connections, ...traitsOf(after, tool).connections];
  const state = before.handshake.select === "off" && after.handshake.select === "off" ? "action" : "reasoning";
  const found: EffectChange[] = [];
  for (const role of roles) {
    for (const mode of modes) {
      for (const intent of [undefined, ...intents]) {
        yield 100;
        const asked = { role, mode, intent, connections };
        const [was, is] = [withheldFor(before, tool, asked), withheldFor(after, tool, asked)];
        if ((was === undefined) === (is === undefined)) continue;
        found.push({
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
  return collapse(found, { roles, modes, intents });
}

interface Asked {
  readonly role: string;
  readonly mode: string;
  readonly intent: string | undefined;
  readonly connections: readonly string[];
}

/** The codes of the reasons; undefined where the tool is offered. */
function withheldFor(
  policy: CompiledPolicy,
  name: string,
  { role, mode, intent, connections }: Asked,
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
