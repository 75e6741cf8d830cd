/** Which injection sets are looked for in one tool's arguments. Pure. */
import type { CompiledPolicy } from "../compile.ts";
import type { ToolInjection, ToolSettings } from "../document/document-parts.ts";
import type { InjectionCheck } from "./injection.ts";

/**
 * The tool's own setting, else its groups' (united, `deny` before `ask`, except only what all of them except), else the
 * policy's. For an unlisted tool the policy's always applies and groups can only add: its name is the client's choice.
 */
export function injectionFor(
  policy: CompiledPolicy,
  own: ToolSettings | undefined,
  groups: readonly ToolSettings[],
): InjectionCheck {
  const standard: InjectionCheck = { sets: policy.injection.sets, action: policy.injection.action, except: [] };
  if (own?.injection !== undefined) return toCheck(own.injection, standard);
  const set = groups.flatMap((group) => (group.injection === undefined ? [] : [toCheck(group.injection, standard)]));
  if (own === undefined) return set.reduce(unite, standard);
  const [first, ...others] = set;
  return first ? others.reduce(unite, first) : standard;
}

function toCheck(setting: ToolInjection, standard: InjectionCheck): InjectionCheck {
  if (setting === false) return { sets: [], action: "ask", except: [] };
  return {
    sets: setting.sets ?? standard.sets,
    action: setting.action ?? standard.action,
    except: setting.except ?? [],
  };
}

function unite(a: InjectionCheck, b: InjectionCheck): InjectionCheck {
  if (a.sets.length === 0) return b;
  if (b.sets.length === 0) return a;
  return {
    sets: [...new Set([...a.sets, ...b.sets])],
    action: a.action === "deny" || b.action === "deny" ? "deny" : "ask",
    except: a.except.filter((one) => b.except.includes(one)),
  };
}
