/** The policy's own rules about the calls of one tool, as its entry and its groups together have them. Pure. */
import type { Condition, RuleSettings, UsePeriod } from "./document/rule-parts.ts";

/** At most `max` calls of the tools that share `key`, in one turn, one task or one session. */
export interface UseLimit {
  /** `tool:NAME`, or a group's selector as written: the tools that share the limit. */
  readonly key: string;
  readonly per: UsePeriod;
  readonly max: number;
}

/** All apply: a tool's own entry adds rules, and takes none of its groups' away. */
export interface ToolRules {
  readonly conditions: readonly Condition[];
  /** Selectors; each must be met. */
  readonly after: readonly string[];
  /** Selectors. */
  readonly neverAfter: readonly string[];
  readonly useLimits: readonly UseLimit[];
}

interface RuleGroup {
  readonly key: string;
  readonly settings: RuleSettings;
}

/** @param own absent for a tool that the policy does not list. */
export function toolRulesOf(name: string, own: RuleSettings | undefined, groups: readonly RuleGroup[]): ToolRules {
  const all = own === undefined ? groups : [{ key: `tool:${name}`, settings: own }, ...groups];
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  return {
    conditions: all.flatMap(({ settings }) => settings.conditions ?? []),
    after: unique(all.flatMap(({ settings }) => settings.after ?? [])),
    neverAfter: unique(all.flatMap(({ settings }) => settings.neverAfter ?? [])),
    useLimits: all.flatMap(({ key, settings: { atMost = {} } }) =>
      periods.flatMap((per) => {
        const max = atMost[per];
        return max === undefined ? [] : [{ key, per, max }];
      }),
    ),
  };
}

const periods: readonly UsePeriod[] = ["turn", "task", "session"];
