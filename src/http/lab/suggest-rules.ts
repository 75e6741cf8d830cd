/**
 * Rules that ask less: for tools whose questions are always answered with a yes. Pure.
 *
 * Nothing is proposed that would let an attacker's value through: a person is asked as before wherever a value comes from neither the
 * user's words nor a trusted source, and above every amount that somebody has said yes to.
 */
import { isObject } from "../../lib/json/json-value.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import type { ToolAnswer } from "../../stores/audit/d1-answers.ts";

/** Answers with which a habit counts as one. */
const LEAST = 10;

interface RuleSuggestion {
  readonly tool: string;
  readonly approved: number;
  readonly users: number;
  /** Milliseconds since the epoch: the first of these answers. */
  readonly since: number;
  /** What the tool's entry would get. */
  readonly set: {
    readonly confirm: "ungrounded";
    /** To be added to those that it has. */
    readonly conditions?: readonly AmountCondition[];
  };
}

interface AmountCondition {
  readonly if: {
    readonly properties: Readonly<Record<string, { readonly exclusiveMinimum: number }>>;
    readonly required: readonly string[];
  };
  readonly effect: "ask";
  readonly say: string;
}

/** The most frequent first. */
export function suggestRules(policy: CompiledPolicy, answers: readonly ToolAnswer[]): readonly RuleSuggestion[] {
  const byTool = Map.groupBy(answers, ({ tool }) => tool);
  const suggestions = [...byTool].flatMap(([tool, given]) => {
    const traits = traitsOf(policy, tool);
    const always = given.length >= LEAST && given.every(({ event }) => event === "approved");
    if (!always || !policy.tools.has(tool) || !traits.needsConfirmation || traits.sensitive) return [];
    const conditions = amountsOf(given);
    return [
      {
        tool,
        approved: given.length,
        users: new Set(given.map(({ user }) => user)).size,
        since: Math.min(...given.map(({ at }) => at)),
        set: { confirm: "ungrounded" as const, ...(conditions.length > 0 ? { conditions } : {}) },
      },
    ];
  });
  return suggestions.sort((a, b) => b.approved - a.approved);
}

function amountsOf(answers: readonly ToolAnswer[]): readonly AmountCondition[] {
  const most = new Map<string, number>();
  for (const { arguments: args } of answers)
    for (const [name, value] of Object.entries(isObject(args) ? args : {}))
      if (typeof value === "number") most.set(name, Math.max(value, most.get(name) ?? value));
  return [...most].map(([name, max]) => ({
    if: { properties: { [name]: { exclusiveMinimum: max } }, required: [name] },
    effect: "ask",
    say: `${name} above ${max} was never approved before`,
  }));
}
