import { newId } from "../../lib/ids.ts";
import { offerTools } from "../../policy/offer.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { Ending } from "../ending.ts";
import { isOffer, offerStep, type StepOffer } from "../offer/offer-step.ts";
import { vetStep } from "../step/vet-step.ts";
import type { Turn } from "../turn.ts";
import { recordDecisions, recordSelection, recordStep } from "../turn-log.ts";
import type { PlanRun } from "./plan-run.ts";
import { markStepCall } from "./step-call.ts";

/**
 * The offer that a step's call is vetted against. Where the tool is withheld for lack of an intent, the plan calls the handshake
 * for the first intent that permits it, under the rules that hold for the model's handshake.
 */
export async function selectIntentForTool(run: PlanRun, step: KeptStep): Promise<StepOffer | Ending> {
  const { deps, turn } = run;
  const before = offerStep(turn, deps.now());
  if (!isOffer(before) || before.offer.callable.has(step.tool)) return before;
  const { handshake } = before.offer;
  const intent = intentFor(turn, before, step.tool);
  if (!handshake || intent === undefined) return before;
  const id = newId("call", deps.now());
  const call = { id, name: handshake.name, arguments: JSON.stringify({ intent }), extra: undefined };
  const { calls, selected } = await vetStep(deps, turn, before, [call], markStepCall(run, step));
  recordStep(turn.log);
  recordDecisions(
    turn.log,
    calls.map(({ effect, reasons }) => ({ callId: id, tool: handshake.name, effect, reasons, handshake: true })),
  );
  if (selected === undefined) return before;
  recordSelection(turn.log, [selected]);
  return offerStep(turn, deps.now());
}

/** Undefined where no intent helps: the tool's refusal says why. */
function intentFor({ input, tools }: Turn, { offer, facts }: StepOffer, tool: string): string | undefined {
  const definitions = tools.filter(({ name }) => name === tool);
  return offer.handshake?.intents.find((name) =>
    offerTools(input.policy, { ...facts, state: "action", intents: [name] }, definitions, input.work).callable.has(
      tool,
    ),
  );
}
