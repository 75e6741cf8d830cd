/**
 * Rules about the task: its state, and what its intents permit. Pure.
 *
 * Several intents unite their permissions intent by intent: a tool must pass the tools *and* the families of one of them.
 * Judged separately, the tools of one and the families of another could together permit what neither does.
 * An intent that the policy no longer has permits nothing.
 */
import type { CompiledPolicy } from "../compile.ts";
import { deny, noObjection } from "../decision.ts";
import type { Facts } from "../facts.ts";
import { type CompiledIntent, type FamilyAccess, familyAccess } from "../intents.ts";
import { permittedBy, type ToolTraits } from "../traits.ts";
import { needsNoIntent, type Rule, type Subject } from "./rule.ts";

/** Without an intent only safe tools may be used. Source: reference/proactive-tool-filtering.md, FR-002. */
export const state: Rule = {
  name: "state",
  dependsOnTask: true,
  judge(subject) {
    const { facts, traits } = subject;
    if (facts.state === "action" || traits.class === "safe" || needsNoIntent(subject)) return noObjection;
    return deny({ code: "state_forbids", tool: traits.name, state: facts.state });
  },
};

/** The tool is among those of an intent. Source: reference/intent-detection-and-safe-tools.md (INTENT_TOOL_MAP). */
export const intentTools: Rule = {
  name: "intent-tools",
  dependsOnTask: true,
  judge(subject) {
    const { policy, facts, traits } = subject;
    if (!isNarrowed(subject) || permittingIntents(policy, facts, traits).length > 0) return noObjection;
    return deny({ code: "intent_forbids", tool: traits.name, intents: facts.intents });
  },
};

/**
 * An intent allows the tool's family, or allows it softly. Source: reference/intent-guard.md, 6.2.
 * Soft uses pass here: they are counted later (`counted.ts`).
 */
export const intentFamilies: Rule = {
  name: "intent-families",
  dependsOnTask: true,
  judge(subject) {
    const { policy, facts, traits } = subject;
    if (!isNarrowed(subject)) return noObjection;
    const permitting = permittingIntents(policy, facts, traits);
    // `intentTools` denies what no intent's tools hold.
    if (permitting.length === 0) return noObjection;
    const { access, intents } = unitedFamilyAccess(permitting, traits);
    if (access !== "blocked") return noObjection;
    return deny({ code: "family_blocked", tool: traits.name, families: [...traits.families], intents });
  },
};

/** Intents narrow only in the state `action`; if `handshake.select` is `off`, there may be none to narrow by. */
export function isNarrowed(subject: Subject): boolean {
  return subject.facts.state === "action" && subject.facts.intents.length > 0 && !needsNoIntent(subject);
}

/** The task's intents whose `tools` select the tool. */
export function permittingIntents(policy: CompiledPolicy, facts: Facts, traits: ToolTraits): readonly CompiledIntent[] {
  return facts.intents.flatMap((name) => {
    const intent = policy.intents.get(name);
    return intent && (intent.tools === undefined || permittedBy(intent.tools, traits)) ? [intent] : [];
  });
}

interface UnitedFamilyAccess {
  readonly access: FamilyAccess;
  /** For `soft`: the intents that allow it softly, and the most uses that one of them permits. */
  readonly intents: readonly string[];
  readonly max: number;
}

/**
 * The most permissive intent decides. But an intent that only the model selected does not lift a soft limit of the user's intent: a
 * model could otherwise add an intent to get more detours.
 * @param added as in `Facts`.
 */
export function unitedFamilyAccess(
  intents: readonly CompiledIntent[],
  traits: ToolTraits,
  added?: ReadonlySet<string>,
): UnitedFamilyAccess {
  const all = intents.map((intent) => ({ intent, access: familyAccess(intent, traits) }));
  const own = all.filter(({ intent }) => added?.has(intent.name) !== true);
  const isLimited = own.some(({ access }) => access === "soft") && !own.some(({ access }) => access === "allowed");
  const accesses = isLimited ? own : all;
  if (accesses.some(({ access }) => access === "allowed")) return { access: "allowed", intents: [], max: 0 };
  const soft = accesses.filter(({ access }) => access === "soft").map(({ intent }) => intent);
  if (soft.length === 0) return { access: "blocked", intents: intents.map((intent) => intent.name), max: 0 };
  const max = Math.max(...soft.map((intent) => intent.families?.softBlockAfter ?? 0));
  return { access: "soft", intents: soft.map((intent) => intent.name), max };
}
