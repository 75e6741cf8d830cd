/**
 * Judges a recorded call under another policy. Pure.
 *
 * A record holds no conversation, so facts about it are taken from the recorded reasons: origins of values, earlier
 * calls, changed definitions. Each call is also judged under the policy that decided it: if the outcome is not the recorded
 * one, the record lacks the facts that decided, and the call is not judged.
 */

import { workBudget } from "../../lib/work-budget.ts";
import { deriveState, type State } from "../../session/state.ts";
import type { CompiledPolicy } from "../compile.ts";
import { addVerdicts, confirm, type Decision, deny, type Effect } from "../decision.ts";
import type { Facts, ToolDefinition } from "../facts.ts";
import { isHosted } from "../hosted.ts";
import { offerTools } from "../offer.ts";
import type { Reason, ReasonCode } from "../reasons.ts";
import { type ToolTraits, traitsOf } from "../traits.ts";
import { type PureDecision, vetCall } from "../vet.ts";
import { applyRecordedCounts } from "./carry-counts.ts";

export interface RecordedCall {
  readonly tool: string;
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /** Null: not recorded. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  /** Some of the arguments are not as they were. */
  readonly altered: "redacted" | "cut" | undefined;
  readonly role: string;
  readonly mode: string;
  readonly state: State;
  readonly intents: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tenant: string;
  readonly user: string;
}

/**
 * `redacted`, `cut`, `not_recorded`: the arguments are not whole. `definition`: the tool's own words decide, and no record has them.
 * `facts`: the record lacks what decided.
 */
type Unjudged = "redacted" | "cut" | "not_recorded" | "definition" | "facts";

export type Rejudged =
  | { readonly kind: "judged"; readonly decision: Decision }
  | { readonly kind: "unjudged"; readonly why: Unjudged };

/** @param before the policy that decided. */
export function judgeRecorded(before: CompiledPolicy, after: CompiledPolicy, call: RecordedCall): Rejudged {
  const unjudged = (why: Unjudged): Rejudged => ({ kind: "unjudged", why });
  if (isHosted(call.tool) || needsDefinition(before, call.tool) || needsDefinition(after, call.tool))
    return unjudged("definition");
  if (call.arguments === null) return unjudged("not_recorded");
  if (call.altered) return unjudged(call.altered);
  const facts = factsFor(before, after, call);
  const was = vetAgain(before, facts, call, call.arguments);
  const known = { effect: call.effect, reasons: call.reasons, counted: undefined };
  // The policy that decided shows what was counted.
  const counted = was.effect === "deny" ? undefined : was.counted;
  const under = (policy: CompiledPolicy, pure: PureDecision): Decision =>
    applyRecordedCounts(call.tool, applyRecordedReasons(policy, before, pure, call), { ...known, counted });
  if (under(before, was).effect !== call.effect) return unjudged("facts");
  if (before.version === after.version) return { kind: "judged", decision: under(before, was) };
  return {
    kind: "judged",
    decision: under(after, vetAgain(after, { ...facts, state: stateUnder(after, call) }, call, call.arguments)),
  };
}

const stateUnder = ({ handshake: { select } }: CompiledPolicy, { intents }: RecordedCall): State =>
  deriveState({ select, intents, modelCalled: true });

/** Its words classify it, or a server does. */
const needsDefinition = (policy: CompiledPolicy, tool: string): boolean =>
  !policy.tools.has(tool) && (policy.infersUnlisted || tool.startsWith("mcp__"));

function factsFor(before: CompiledPolicy, after: CompiledPolicy, call: RecordedCall): Facts {
  const { reasons, tool } = call;
  const has = (code: ReasonCode) => reasons.some((reason) => reason.code === code);
  const missing = new Set(
    reasons.flatMap((reason) => (reason.code === "connection_missing" ? [reason.connection] : [])),
  );
  const needed = [...traitsOf(before, tool).connections, ...traitsOf(after, tool).connections];
  return {
    now: call.at,
    principal: {
      tenant: call.tenant,
      user: call.user,
      role: call.role,
      authenticated: !has("auth_required"),
      connections: [...new Set(needed)].filter((provider) => !missing.has(provider)),
    },
    mode: call.mode,
    state: call.state,
    intents: call.intents,
    changedDefinitions: new Set(has("definition_changed") ? [tool] : []),
  };
}

function vetAgain(
  policy: CompiledPolicy,
  facts: Facts,
  { tool }: RecordedCall,
  args: Readonly<Record<string, unknown>>,
): PureDecision {
  const { parameters } = traitsOf(policy, tool);
  const definition: ToolDefinition = { name: tool, ...(parameters ? { parameters } : {}), wire: undefined };
  const work = workBudget();
  const offer = offerTools(policy, facts, [definition], work);
  return vetCall(policy, facts, offer, { id: "", tool, arguments: args }, work);
}

/** Adds the recorded reasons that no policy can judge anew. */
function applyRecordedReasons(
  policy: CompiledPolicy,
  before: CompiledPolicy,
  pure: PureDecision,
  { tool, effect, reasons }: RecordedCall,
): PureDecision {
  const object = effect === "deny" ? deny : confirm;
  const [was, is] = [traitsOf(before, tool), traitsOf(policy, tool)];
  const kept = reasons.filter((reason) => stillApplies(reason, was, is)).map(object);
  // The client's own choice, or a list that did not hold the tool.
  const alone = reasons.every(({ code }) => code === "not_offered" || code === "unknown_tool");
  if (effect === "deny" && alone) kept.push(...reasons.map(deny));
  const decision = addVerdicts(pure, kept);
  return decision.effect === "deny" ? { ...pure, ...decision, counted: { windows: [] } } : { ...pure, ...decision };
}

function stillApplies({ code }: Reason, was: ToolTraits, is: ToolTraits): boolean {
  switch (code) {
    // The client's schema, if neither policy has one.
    case "arguments_invalid":
    case "schema_invalid":
      return was.parameters === undefined && is.parameters === undefined;
    // Reading changes nothing: origins matter to calls with effects, and to readers that reach out.
    case "argument_untrusted":
    case "intent_undetected":
    case "instructions_found":
      return is.class === was.class || is.class === "destructive";
    case "after_unmet":
      return is.after.length > 0;
    case "never_after":
      return is.neverAfter.length > 0;
    default:
      return false;
  }
}
