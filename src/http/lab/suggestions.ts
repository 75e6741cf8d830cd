/**
 * `GET /admin/policies/:tenant/suggestions`: rules that ask less, for tools whose questions of the last 30 days were always answered
 * with a yes.
 *
 * No suggestion lets an attacker's value through: a person is asked as before if a value comes from neither the user's words nor a
 * trusted source, and above every amount that a person has approved.
 */
import type { Context } from "hono";
import type { SuggestionView } from "../../api-views/policy-views.ts";
import type { Deps } from "../../deps.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { ok } from "../../lib/result.ts";
import { isoTime } from "../../lib/text/iso-time.ts";
import { DAY_MS } from "../../lib/time.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import { queryAnswers, type ToolAnswer } from "../../stores/audit/d1-answers.ts";
import type { AppEnv } from "../app-env.ts";
import type { HandlerResult } from "../handler.ts";
import { listBody } from "../list-body.ts";
import { loadPolicy } from "../load-policy.ts";
import { orTrailUnavailable } from "../reach.ts";

const LOOKS_BACK_MS = 30 * DAY_MS;

export async function listSuggestions(c: Context<AppEnv>, deps: Deps): Promise<HandlerResult> {
  const tenant = c.req.param("tenant") ?? "";
  const policy = await loadPolicy(deps, tenant);
  if (!policy.ok) return policy;
  const answers = await orTrailUnavailable(
    deps.audit(tenant, (db) => queryAnswers(db, tenant, deps.now() - LOOKS_BACK_MS)),
  );
  if (!answers.ok) return answers;
  const data: readonly SuggestionView[] = suggestRules(policy.value, answers.value).map(({ since, ...suggestion }) => ({
    object: "policy.suggestion",
    ...suggestion,
    since: isoTime(since),
  }));
  return ok(listBody(data, false));
}

/** How many answers make a habit. */
const LEAST = 10;

interface RuleSuggestion {
  readonly tool: string;
  readonly approved: number;
  readonly users: number;
  /** Milliseconds since the epoch: the first of these answers. */
  readonly since: number;
  /** The suggested keys of the tool's entry. */
  readonly set: {
    readonly confirm: "ungrounded";
    /** Added to the entry's own conditions. */
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
