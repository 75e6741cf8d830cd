/**
 * The offer that a step's call is judged against. Where the tool is withheld for lack of an intent, the handshake is called for
 * the first one that the model could select and that permits it, under the same rules. Changes the turn.
 */
import { newId } from "../../lib/ids.ts";
import { offerTools } from "../../policy/offer.ts";
import type { KeptStep } from "../../ports/plans-port.ts";
import type { Ending } from "../ending.ts";
import { isOffer, offerStep, type StepOffer } from "../offer/offer-step.ts";
import { vetStep } from "../step/vet-step.ts";
import type { Turn } from "../turn.ts";
import { recordDecisions, recordSelection, recordStep } from "../turn-log.ts";
import { markedAs } from "./marked-as.ts";
import type { PlanRun } from "./plan-run.ts";

export async function reachTool(run: PlanRun, step: KeptStep): Promise<StepOffer | Ending> {
  const { deps, turn } = run;
  const step0 = offerStep(turn, deps.now());
  if (!isOffer(step0) || step0.offer.callable.has(step.tool)) return step0;
  const { handshake } = step0.offer;
  const intent = intentFor(turn, step0, step.tool);
  if (!handshake || intent === undefined) return step0;
  const id = newId("call", deps.now());
  const call = { id, name: handshake.name, arguments: JSON.stringify({ intent }), extra: undefined };
  const { calls, selected } = await vetStep(deps, turn, step0, [call], markedAs(run, step));
  recordStep(turn.log);
  recordDecisions(
    turn.log,
    calls.map(({ effect, reasons }) => ({ callId: id, tool: handshake.name, effect, reasons, handshake: true })),
  );
  if (selected === undefined) return step0;
  recordSelection(turn.log, [selected]);
  return offerStep(turn, deps.now());
}

/** What no intent permits is withheld for another reason, which its refusal tells. */
function intentFor({ input, tools }: Turn, { offer, facts }: StepOffer, tool: string): string | undefined {
  const definitions = tools.filter(({ name }) => name === tool);
  return offer.handshake?.intents.find((name) =>
    offerTools(input.policy, { ...facts, state: "action", intents: [name] }, definitions, input.work).callable.has(
      tool,
    ),
  );
}
