/** Who calls, and in which mode. Pure. */

import type { WorkBudget } from "../../lib/work-budget.ts";
import type { Principal } from "../../session/principal.ts";
import type { CompiledPolicy } from "../compile.ts";
import { type Invariant, listOf } from "../document/invariant-parts.ts";
import { judgeAll } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import type { ToolKind } from "./tool-kinds.ts";

export interface Caller {
  readonly principal: Principal;
  readonly mode: string;
}

/** A role that no policy lists: keys and tokens may hold any. */
const OTHER_ROLE = "unlisted-role";

/** These look at nothing of the task or of the call. */
const callerRules = rules.filter(({ name }) => ["mode", "role", "authentication", "connection"].includes(name));

/**
 * The callers who may use the tool. One stands for all, unless the tool's conditions tell their roles or modes apart.
 * Yields for each pair that is looked at.
 */
export function* callersOf(
  tool: ToolKind,
  invariant: Invariant,
  work: WorkBudget,
): Generator<undefined, readonly Caller[]> {
  const { policy, traits, definition } = tool;
  const { conditions } = traits;
  const isTold = conditions.some(({ roles, modes }) => roles !== undefined || modes !== undefined);
  const linked = invariant.when.connection ?? {};
  const connections = traits.connections.filter((provider) => linked[provider] !== "missing");
  const found = new Map<string, Caller>();
  for (const role of listOf(invariant.when.role) ?? rolesOf(policy))
    for (const mode of listOf(invariant.when.mode) ?? policy.modes.keys()) {
      yield;
      const principal = { tenant: "", user: "", role, authenticated: true, connections };
      const facts = {
        now: 0,
        principal,
        mode,
        state: "action",
        intents: [],
        changedDefinitions: new Set<string>(),
      } as const;
      const verdicts = judgeAll(callerRules, { policy, facts, traits, definition, work });
      if (verdicts.some(({ kind }) => kind === "deny")) continue;
      const applying = conditions.map(
        (one) => (one.roles?.includes(role) ?? true) && (one.modes?.includes(mode) ?? true),
      );
      const key = applying.join();
      if (!found.has(key)) found.set(key, { principal, mode });
      if (!isTold) return [...found.values()];
    }
  return [...found.values()];
}

/** One role stands for those that the policy never tells apart. */
const rolesOf = ({ roles }: CompiledPolicy): readonly string[] => [
  ...roles,
  roles.includes("admin") ? OTHER_ROLE : "admin",
];
