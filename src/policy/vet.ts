/**
 * Whether a call that the model made may go on: the pure part. What must be counted is named for whoever counts.
 * By the same rules as the offer, since a model can call what it was not shown.
 */
import { describeCall, discloseCall, disclosureText } from "../approvals/disclosure/disclosure.ts";
import { natureOf } from "../approvals/nature.ts";
import { redactArguments } from "../lib/redact.ts";
import type { WorkBudget } from "../lib/work-budget.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Effect } from "./decision.ts";
import type { Call, CountedChecks, Facts } from "./facts.ts";
import type { Offer } from "./offer.ts";
import type { Reason } from "./reasons.ts";
import { foldRules } from "./rules/fold.ts";
import { familyStanding, isNarrowed, permittingIntents } from "./rules/held-intents.ts";
import { rules } from "./rules/index.ts";
import { isHandoff, isOutput, type Subject } from "./rules/subject.ts";
import { traitsOf } from "./traits.ts";

/** A decision so far: `allow` and `confirm` hold only once the counted checks passed too. */
export interface Vetted {
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /** Empty where the effect is `deny`. */
  readonly counted: CountedChecks;
}

/**
 * Not for calls of the handshake tool.
 * @param offer the one that was sent to the model in this step.
 * @param work of the request: a call that is too costly to check is denied.
 */
export function vetCall(policy: CompiledPolicy, facts: Facts, offer: Offer, call: Call, work: WorkBudget): Vetted {
  const definition = offer.offered.find((tool) => tool.name === call.tool);
  if (definition === undefined) return refuse(policy, offer, call);
  const subject: Subject = { policy, facts, traits: traitsOf(policy, call.tool), definition, call, offer, work };
  const { effect, reasons } = foldRules(rules, subject);
  if (effect === "deny") return { effect, reasons, counted: { windows: [] } };
  return { effect, reasons, counted: countedChecks(subject, call, effect === "confirm") };
}

/** Not offered: with the reasons for which it was withheld, which the model is not told. */
function refuse({ handshake }: CompiledPolicy, offer: Offer, call: Call): Vetted {
  const withheld = offer.withheld.find((tool) => tool.name === call.tool);
  // The handshake is the gateway's own where there is one, and is left out where there is nothing to select.
  const own = handshake.select !== "off" && call.tool === handshake.tool;
  const code = withheld || own ? "not_offered" : "unknown_tool";
  const others = withheld?.reasons.filter((reason) => reason.code !== code) ?? [];
  return { effect: "deny", reasons: [{ code, tool: call.tool }, ...others], counted: { windows: [] } };
}

/** @param suspicious a rule asks for confirmation whatever the category says. */
function countedChecks(subject: Subject, call: Call, suspicious: boolean): CountedChecks {
  const { policy, facts, traits } = subject;
  const unasked = isOutput(subject) || isHandoff(subject);
  const asks = (traits.asks && !unasked) || suspicious || (facts.doubted && traits.class === "destructive");
  const intents = isNarrowed(subject) ? permittingIntents(policy, facts, traits) : [];
  const standing = intents.length > 0 ? familyStanding(intents, traits) : undefined;
  const perSession = policy.gates.persistApprovals ? {} : { perSession: true as const };
  return {
    windows: traits.windows,
    ...(traits.gate && !unasked
      ? { gate: { tool: traits.name, disclosure: told(subject, call, "first_use"), ...perSession } }
      : {}),
    ...(asks
      ? {
          confirmation: {
            disclosure: told(subject, call, "confirmation_required"),
            nature: natureOf(traits),
          },
        }
      : {}),
    ...(standing?.verdict === "soft"
      ? { soft: { families: [...traits.families], intents: standing.intents, max: standing.max } }
      : {}),
  };
}

function told({ policy, traits }: Subject, call: Call, asked: "first_use" | "confirmation_required"): string {
  const args = redactArguments(call.arguments, traits.redact);
  const persistsGate = policy.gates.persistApprovals;
  const disclosure = discloseCall({ traits, language: "en", persistsGate });
  return disclosureText(describeCall(disclosure, { asks: [asked], shown: args, recorded: args }));
}
