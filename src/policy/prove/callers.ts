/** Finds the callers that a proof must consider: roles, modes and linked providers. Pure. */
import type { WorkBudget } from "../../lib/work-budget.ts";
import type { Principal } from "../../session/principal.ts";
import type { CompiledPolicy } from "../compile.ts";
import { type Invariant, listOf } from "../document/invariant-parts.ts";
import { judgeAll, type Rule } from "../rules/rule.ts";
import { rules } from "../rules/rules.ts";
import type { ToolKind } from "./tool-kinds.ts";

export interface Caller {
  readonly principal: Principal;
  readonly mode: string;
}

/** A role that no policy lists: keys and tokens may hold any. */
const OTHER_ROLE = "unlisted-role";

/** Rules that read neither the task nor the call. */
const principalRules = rules.filter(({ name }) => ["role", "authentication", "connection"].includes(name));
const modeRules = rules.filter(({ name }) => name === "mode");

/**
 * The callers who may use the tool. One represents all that the tool's conditions do not distinguish by role or mode.
 * Yields for each question to the rules.
 */
export function* callersOf(
  tool: ToolKind,
  invariant: Invariant,
  work: WorkBudget,
): Generator<undefined, readonly Caller[]> {
  const { policy, traits } = tool;
  const { conditions } = traits;
  const linked = invariant.when.connection ?? {};
  const connections = traits.connections.filter((provider) => linked[provider] !== "missing");
  const roles = groupedBy(listOf(invariant.when.role) ?? rolesOf(policy), (role) =>
    conditions.map((one) => one.roles?.includes(role) ?? true).join(),
  );
  const modes = groupedBy(listOf(invariant.when.mode) ?? [...policy.modes.keys()], (mode) =>
    conditions.map((one) => one.modes?.includes(mode) ?? true).join(),
  );
  const found: Caller[] = [];
  for (const alike of roles) {
    let open = modes;
    for (const role of alike) {
      if (open.length === 0) break;
      yield;
      const principal = { tenant: "", user: "", role, authenticated: true, connections };
      if (!passes(principalRules, tool, { principal, mode: "" }, work)) continue;
      const unmet: (readonly string[])[] = [];
      for (const alikeModes of open) {
        const mode = yield* firstPermitting(alikeModes, principal, tool, work);
        if (mode === undefined) unmet.push(alikeModes);
        else found.push({ principal, mode });
      }
      open = unmet;
    }
  }
  return found;
}

function* firstPermitting(
  modes: readonly string[],
  principal: Principal,
  tool: ToolKind,
  work: WorkBudget,
): Generator<undefined, string | undefined> {
  for (const mode of modes) {
    yield;
    if (passes(modeRules, tool, { principal, mode }, work)) return mode;
  }
  return undefined;
}

function passes(judging: readonly Rule[], { policy, traits, definition }: ToolKind, caller: Caller, work: WorkBudget) {
  const task = { state: "action", intents: [], changedDefinitions: new Set<string>() } as const;
  const verdicts = judgeAll(judging, { policy, facts: { now: 0, ...caller, ...task }, traits, definition, work });
  return verdicts.every(({ kind }) => kind !== "deny");
}

const groupedBy = (names: readonly string[], key: (name: string) => string): readonly (readonly string[])[] => [
  ...Map.groupBy(names, key).values(),
];

/** One role represents those that the policy never distinguishes. */
const rolesOf = ({ roles }: CompiledPolicy): readonly string[] => [
  ...roles,
  roles.includes("admin") ? OTHER_ROLE : "admin",
];
