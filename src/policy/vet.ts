/**
 * Decides a call that the model made, as far as this is possible without counts. Pure.
 * The rules are those of the offer, since a model can call a tool that it was not shown.
 */

import { plainLine } from "../lib/text/visible-text.ts";
import { type WorkBudget, WorkSpent } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Decision } from "./decision.ts";
import type { Call, CountedChecks, Facts } from "./facts.ts";
import type { Offer } from "./offer.ts";
import { destinationsOf } from "./origin/call-authority.ts";
import type { ArgumentOrigin } from "./origin/judge-origins.ts";
import type { BoundDestinations, EndorsableSource } from "./origin/origin-types.ts";
import type { Reason } from "./reasons.ts";
import { judgedOrigins } from "./rules/argument-origins.ts";
import { isNarrowed, permittingIntents, unitedFamilyAccess } from "./rules/intent-rules.ts";
import { foldRules, isHandoff, isOutput, type Subject, tooCostly } from "./rules/rule.ts";
import { rules } from "./rules/rules.ts";
import type { Category } from "./selectors.ts";
import { traitsOf } from "./traits.ts";

/** The decision of the pure rules: `allow` and `confirm` are final only once the counted checks pass too. */
export interface PureDecision extends Decision {
  /** The origins of its authority arguments, once untrusted text is in the conversation. Absent: not judged. */
  readonly origins?: readonly ArgumentOrigin[];
  /** The result that the user may endorse with a yes. Absent: none. */
  readonly endorsable?: EndorsableSource;
  /** Empty if the effect is `deny`. */
  readonly counted: CountedChecks;
}

const NO_CHECKS: CountedChecks = { windows: [] };

/** No rule judges these: handshake calls, and hosted calls whose arguments are unreadable. */
export const ALLOWED: PureDecision = { effect: "allow", reasons: [], counted: { windows: [] } };

export const denied = (...reasons: readonly Reason[]): PureDecision => ({
  effect: "deny",
  reasons,
  counted: NO_CHECKS,
});

/**
 * Not for calls of the handshake tool.
 * @param offer the one that was sent to the model in this step.
 * @param work of the request: a call that is too costly to check is denied.
 */
export function vetCall(
  policy: CompiledPolicy,
  facts: Facts,
  offer: Offer,
  call: Call,
  work: WorkBudget,
): PureDecision {
  const definition = offer.offered.find((tool) => tool.name === call.tool);
  if (definition === undefined) return refuse(policy, offer, call);
  const subject: Subject = { policy, facts, traits: traitsOf(policy, call.tool), definition, call, offer, work };
  const { effect, reasons } = foldRules(rules, subject);
  const { origins: found, endorsable } = judgedOrigins(subject);
  const origins = found.length > 0 ? { origins: found } : {};
  if (effect === "deny") return { ...denied(...reasons), ...origins };
  try {
    const counted = countedChecks(subject, effect === "confirm");
    return { effect, reasons, counted, ...origins, ...(endorsable ? { endorsable } : {}) };
  } catch (error) {
    if (error instanceof WorkSpent) return denied(tooCostly(call.tool, error));
    throw error;
  }
}

/** The tool was not offered. The decision also holds the reasons for withholding it, which the model does not see. */
function refuse({ handshake }: CompiledPolicy, offer: Offer, call: Call): PureDecision {
  const withheld = offer.withheld.find((tool) => tool.name === call.tool);
  // The handshake tool is the gateway's own, and is left out if there is nothing to select.
  const own = handshake.select !== "off" && call.tool === handshake.tool;
  const code = withheld || own ? "not_offered" : "unknown_tool";
  const others = withheld?.reasons.filter((reason) => reason.code !== code) ?? [];
  return denied({ code, tool: call.tool }, ...others);
}

/** Throws `WorkSpent`. @param suspicious a rule demands confirmation for every category. */
function countedChecks(subject: Subject, suspicious: boolean): CountedChecks {
  const { policy, facts, traits } = subject;
  const isExempt = isOutput(subject) || isHandoff(subject);
  const asks =
    (traits.needsConfirmation && !isExempt) || suspicious || (facts.tainted && traits.class === "destructive");
  const intents = isNarrowed(subject) ? permittingIntents(policy, facts, traits) : [];
  const families = intents.length > 0 ? unitedFamilyAccess(intents, traits, facts.selectedByModel) : undefined;
  const gated = traits.gate && !isExempt;
  const destinations = gated || asks ? destinationsPart(subject) : {};
  const perSession = policy.gates.persistApprovals ? {} : { perSession: true as const };
  return {
    windows: traits.windows,
    ...(traits.useLimits.length > 0 ? { limits: traits.useLimits } : {}),
    ...(gated ? { gate: { tool: traits.name, ...perSession, ...destinations } } : {}),
    ...(asks ? { confirmation: { riskProfile: riskProfileOf(traits), ...destinations } } : {}),
    ...(families?.access === "soft"
      ? { soft: { families: [...traits.families], intents: families.intents, max: families.max } }
      : {}),
  };
}

const destinationsPart = ({ traits, definition, call, work }: Subject): BoundDestinations =>
  call === undefined ? {} : destinationsOf({ traits, definition }, call.arguments, work);

interface RiskProfile {
  readonly category: Category;
  readonly reversible: boolean;
  readonly destination?: string | null | undefined;
}

/** The same for a tool's traits and for the disclosure that was made from them. */
export const riskProfileOf = ({ category, reversible, destination }: RiskProfile): string =>
  JSON.stringify([category, reversible, destination == null ? null : plainLine(destination, 200)]);
