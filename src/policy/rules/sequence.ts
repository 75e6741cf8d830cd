/** Rules about the order of calls: `after` and `neverAfter`. Pure. `atMost` is counted (`counted.ts`). */
import type { CompiledPolicy } from "../compile.ts";
import { deny, noObjection } from "../decision.ts";
import { compileSelectors, type SelectorSet, selectsAny } from "../selectors.ts";
import { forbiddenBy, traitsOf } from "../traits.ts";
import type { Rule } from "./rule.ts";

/**
 * For each selector a tool that it selects has succeeded in the session. Calls of one reply are judged before any of them
 * runs, so none of them counts as earlier.
 */
export const calledAfter: Rule = {
  name: "called-after",
  judge({ policy, facts: { history }, traits: { name: tool, after } }) {
    if (after.length === 0 || history === undefined) return noObjection;
    const unmet = after.filter((selector) => {
      const set = setOf(selector);
      return !history.succeeded.some((name) => meets(policy, set, name));
    });
    return unmet.length === 0 ? noObjection : deny({ code: "after_unmet", tool, after: unmet });
  },
};

/** No result of such a tool has come into the session, whether the call succeeded or not: an error may quote what was read. */
export const calledNeverAfter: Rule = {
  name: "called-never-after",
  judge({ policy, facts: { history }, traits: { name: tool, neverAfter } }) {
    if (neverAfter.length === 0 || history === undefined) return noObjection;
    const sets = neverAfter.map(setOf);
    const read = history.read.filter((name) => sets.some((set) => forbiddenBy(set, traitsOf(policy, name))));
    return read.length === 0 ? noObjection : deny({ code: "never_after", tool, read: read.slice(0, MAX_NAMED) });
  },
};

/** Names in one reason. */
const MAX_NAMED = 5;

/** Clients and servers choose names: only its own name lets an unlisted tool meet a demand. */
function meets(policy: CompiledPolicy, set: SelectorSet, name: string): boolean {
  const traits = traitsOf(policy, name);
  return set.names.has(name) || (traits.listed && selectsAny(set, traits));
}

/** A policy has few, and each offer asks for them. */
const sets = new Map<string, SelectorSet>();
const MAX_SETS = 1_000;

function setOf(selector: string): SelectorSet {
  const known = sets.get(selector);
  if (known) return known;
  if (sets.size >= MAX_SETS) sets.clear();
  const set = compileSelectors([selector]);
  sets.set(selector, set);
  return set;
}
