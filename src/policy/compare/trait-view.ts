/** What a policy says of one tool, as a person reads it in a comparison. Pure. */
import { canonicalJson } from "../../lib/json/canonical-json.ts";
import type { CompiledPolicy } from "../compile.ts";
import { traitsOf } from "../traits.ts";
import type { JsonFields } from "./json-fields.ts";
import { runView } from "./run-view.ts";

export function traitView(policy: CompiledPolicy, name: string): JsonFields {
  const traits = traitsOf(policy, name);
  return {
    listed: traits.listed,
    category: traits.category,
    class: traits.class,
    families: [...traits.families].sort(),
    asks: traits.asks,
    gate: traits.gate,
    confirm: traits.confirm,
    roles: traits.roles && [...traits.roles].sort(),
    requires_auth: traits.requiresAuth,
    connections: [...traits.connections].sort(),
    rate_limits: traits.windows.map(({ key, max, windowMs }) => ({ key, max, window_ms: windowMs })),
    redact: [...traits.redact].sort(),
    hide_from_approver: [...traits.hideFromApprover].sort(),
    reversible: traits.reversible,
    undo: traits.undo,
    destination: traits.destination,
    sensitive: traits.sensitive,
    trusted: traits.trusted,
    injection: {
      sets: [...traits.injection.sets].sort(),
      action: traits.injection.action,
      except: [...traits.injection.except].sort(),
    },
    description: traits.description,
    parameters: traits.parameters,
    ...runView(policy.tools.get(name)?.run),
    disclosure: traits.disclosure,
    learn_more: traits.learnMore,
    preview: traits.preview,
    timeout_seconds: traits.timeoutSeconds,
  };
}

/** Of two sets of fields those that differ; a field that one does not have is left out of it. */
export function differing(before: JsonFields, after: JsonFields): { before: JsonFields; after: JsonFields } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = names.filter((name) => !sameJson(before[name], after[name]));
  const pick = (fields: JsonFields): JsonFields =>
    Object.fromEntries(changed.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  return { before: pick(before), after: pick(after) };
}

/** Whether two values are the same JSON; undefined is the same as undefined alone. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return canonicalJson(a) === canonicalJson(b);
}
