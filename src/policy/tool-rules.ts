/** Collects the policy's own rules about the calls of one tool, from its entry and its groups. Pure. */
import { unique } from "../lib/unique.ts";
import type { Condition, EnforceMode, RuleSettings, UsePeriod } from "./document/rule-parts.ts";

/** At most `max` calls of the tools that share `key`, in one turn, one task or one session. */
export interface UseLimit {
  /** `tool:NAME`, or a group's selector as written: the tools that share the limit. */
  readonly key: string;
  readonly per: UsePeriod;
  readonly max: number;
}

/** All apply: a tool's own entry adds rules to those of its groups, and removes none. */
export interface ToolRules {
  /** Absent: as for the whole policy. */
  readonly enforce?: EnforceMode | undefined;
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
  return {
    enforce: own?.enforce ?? groupEnforce(own !== undefined, groups),
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

/** The stricter of several. For a tool that is not listed only `*` loosens: the client chooses the names that a glob matches. */
function groupEnforce(listed: boolean, groups: readonly RuleGroup[]): EnforceMode | undefined {
  const set = groups.flatMap(({ key, settings: { enforce } }) =>
    enforce && (enforce === "on" || listed || key === "*") ? [enforce] : [],
  );
  return set.includes("on") ? "on" : set[0];
}

const periods: readonly UsePeriod[] = ["turn", "task", "session"];
