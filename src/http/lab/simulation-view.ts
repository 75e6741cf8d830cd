/** A simulated turn in the API's spelling. Pure. */
import { approvalView } from "../../approvals/approval-view.ts";
import { textForClient } from "../../policy/reason-texts.ts";
import type { Reason } from "../../policy/reasons.ts";
import type {
  SimulatedCall,
  SimulatedConversation,
  SimulatedStep,
  Simulation,
} from "../../turn/simulate/simulate-turn.ts";
import { stateOf } from "../../turn/turn.ts";
import { inSnakeCase } from "../audit/audit-rows.ts";
import { detectionView } from "../user/detection-view.ts";

type Json = Readonly<Record<string, unknown>>;

/** @param inForce whether the policy is the one in force. */
export function simulationView(
  { turn, detection, steps, ending }: Simulation,
  { begins }: SimulatedConversation,
  inForce: boolean,
): Json {
  const { policy } = begins;
  return {
    object: "policy.simulation",
    policy: policy.version,
    in_force: inForce,
    role: turn.principal.role,
    mode: turn.mode,
    detection: detection ? detectionView(detection, policy) : null,
    untrusted: turn.log.untrusted,
    state: stateOf(turn),
    intents: turn.log.intents,
    steps: steps.map(stepView),
    stopped: ending ? stopView(ending) : null,
  };
}

function stepView({ state, intents, offer: { offer }, calls }: SimulatedStep): Json {
  const { handshake } = offer;
  return {
    state,
    intents,
    offered: offer.offered.filter(({ name }) => offer.callable.has(name)).map(({ name }) => name),
    withheld: offer.withheld.map(({ name, reasons }) => ({ name, reasons: reasons.map(reasonView) })),
    handshake: handshake ? { name: handshake.name, intents: handshake.intents } : null,
    calls: calls.map(callView),
  };
}

function callView({
  modelCall,
  effect,
  reasons,
  handshake,
  observed,
  origins,
  approval,
  question,
  vettedArguments: args,
}: SimulatedCall): Json {
  return {
    id: modelCall.id,
    name: modelCall.name,
    /** As they were vetted, with the schema's defaults if a person would be asked. */
    arguments: args,
    effect,
    reasons: reasons.map(reasonView),
    handshake,
    /** Let through although the rules say otherwise. */
    observed: observed === true,
    origins: origins ?? [],
    question:
      question === undefined ? null : { text: question, approval: approval ? approvalView(approval, "whole") : null },
  };
}

/** With everything that the reason holds: an operator reads what the client is not shown. */
const reasonView = (reason: Reason): Json => ({
  ...inSnakeCase(reason),
  message: textForClient(reason),
});

function stopView(ending: NonNullable<Simulation["ending"]>): Json {
  if (ending.kind === "error") return { reason: ending.stopReason, message: errorMessage(ending.error) };
  return { reason: ending.stopReason, message: ending.kind === "stop" ? ending.text : "" };
}

const errorMessage = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
