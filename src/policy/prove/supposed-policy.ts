/** Makes a policy that allows at least as much as another, without the schemas that `argument-cases.ts` does not read. Pure. */
import type { CompiledPolicy } from "../compile.ts";
import type { ToolSettings } from "../document/document-parts.ts";
import { isReadable, isReadableSchema } from "./argument-cases.ts";

interface Supposition {
  /** Conditions that ask and cannot be read always ask. Else they never do. */
  readonly asks: boolean;
  /** No condition is read: together they distinguish too many arguments. */
  readonly none: boolean;
}

/** A copy of all tools, made once for each supposition: copied for each of 1,500 tools, 30 invariants took over 90 s instead of 0.6 s. */
const copies = new WeakMap<CompiledPolicy, Map<string, CompiledPolicy>>();

export function supposedPolicy(policy: CompiledPolicy, supposition: Supposition): CompiledPolicy {
  const ofPolicy = copies.get(policy) ?? new Map<string, CompiledPolicy>();
  copies.set(policy, ofPolicy);
  const key = JSON.stringify([supposition.asks, supposition.none]);
  const supposed = ofPolicy.get(key) ?? copyOf(policy, supposition);
  ofPolicy.set(key, supposed);
  return supposed;
}

function copyOf(policy: CompiledPolicy, supposition: Supposition): CompiledPolicy {
  const { injection } = policy;
  const custom = new Map([...injection.custom].map(([set, one]) => [set, { ...one, test: () => supposition.asks }]));
  return {
    ...policy,
    injection: { ...injection, custom },
    tools: new Map([...policy.tools].map(([name, settings]) => [name, loosened(settings, supposition)])),
    groups: policy.groups.map((group) => ({ ...group, settings: loosened(group.settings, supposition) })),
  };
}

function loosened(settings: ToolSettings, { asks, none }: Supposition): ToolSettings {
  const { conditions, parameters, ...rest } = settings;
  const kept = conditions?.flatMap((condition) => {
    if (!none && isReadable(condition.if)) return [condition];
    return asks && condition.effect === "ask" ? [{ ...condition, if: {} }] : [];
  });
  return {
    ...rest,
    ...(kept ? { conditions: kept } : {}),
    ...(parameters && isReadableSchema(parameters) ? { parameters } : {}),
  };
}
