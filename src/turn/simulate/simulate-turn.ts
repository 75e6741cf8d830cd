/**
 * Simulates a turn without a model, a user or a record: the steps of `run-turn.ts` up to the decisions, by the same code. The caller gives
 * the calls that the model would make. The system-first variant is left out, because chance decides which task gets it.
 */

import type { Detection } from "../../intent/detection.ts";
import type { ArgumentOrigin } from "../../policy/origin/judge-origins.ts";
import type { Ending } from "../../ports/turns/ending.ts";
import type { State } from "../../session/state.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { frameOf } from "../confirm/question-frame.ts";
import { offerStep } from "../offer/offer-step.ts";
import { preflight } from "../offer/preflight.ts";
import { isOffer, type StepOffer } from "../offer/step-offer.ts";
import { answerCommand } from "../open/commands.ts";
import { openTurn } from "../open/open-turn.ts";
import { holdSelection, vetStep } from "../step/vet-step.ts";
import { decisionNote, type VettedCall } from "../step/vetted-call.ts";
import { stateOf, type Turn, type TurnInput } from "../turn.ts";
import type { JudgingDeps } from "../turn-deps.ts";
import { recordDecisions } from "../turn-log.ts";
import { type EarlierCall, trialGuard } from "./trial-guard.ts";

export interface SimulatedCall extends VettedCall {
  readonly origins?: readonly ArgumentOrigin[] | undefined;
  /** The question as a chat would show it. Absent: no approval is requested. */
  readonly question?: string;
}

export interface SimulatedStep {
  readonly state: State;
  readonly intents: readonly string[];
  readonly offer: StepOffer;
  readonly calls: readonly SimulatedCall[];
}

export interface Simulation {
  /** The state after the last step. */
  readonly turn: Turn;
  readonly detection: Detection | undefined;
  readonly steps: readonly SimulatedStep[];
  /** What ends the turn before its calls are judged. */
  readonly ending: Ending | undefined;
}

export interface SimulatedConversation {
  /** The turn that the user's message begins. */
  readonly begins: TurnInput;
  /** The turn that brings the results of earlier calls. Absent: the first turn is judged. */
  readonly continues?: { readonly input: TurnInput; readonly earlier: readonly EarlierCall[] } | undefined;
  /** What the model calls. The handshake is a step of its own: the calls after it are judged by the offer that it leads to. */
  readonly calls: readonly ModelCall[];
}

export async function simulateTurn(
  deps: Omit<JudgingDeps, "guard">,
  { begins, continues, calls }: SimulatedConversation,
): Promise<Simulation> {
  const guard = trialGuard(deps.now, continues?.earlier);
  const judging: JudgingDeps = { ...deps, guard };
  const first = await openTurn(judging, begins);
  const turn = continues ? await openTurn(judging, continues.input) : first;
  const { detection } = first;
  const steps: SimulatedStep[] = [];
  let ending = answerCommand(turn, deps.now());
  for (const made of ending ? [] : stepsOf(turn, calls)) {
    const offer = offerStep(turn, deps.now());
    ending = isOffer(offer) ? preflight(turn, offer) : offer;
    const [state, { intents }] = [stateOf(turn), turn.log];
    if (!isOffer(offer)) break;
    if (ending) {
      steps.push({ state, intents, offer, calls: [] });
      break;
    }
    const from = guard.brought.length;
    const { calls: vetted, selected } = await vetStep(judging, turn, offer, made);
    recordDecisions(turn.log, vetted.map(decisionNote));
    const shown = vetted.map(
      (call, index): SimulatedCall => ({
        ...call,
        origins: guard.brought[from + index]?.origins,
        ...(call.approval ? { question: frameOf(turn, [call.approval], deps.now()) } : {}),
      }),
    );
    steps.push({ state, intents, offer, calls: shown });
    if (selected) holdSelection(turn, selected);
  }
  return { turn, detection, steps, ending };
}

/** At least one step: a turn without calls has an offer too. */
function stepsOf({ input }: Turn, calls: readonly ModelCall[]): readonly (readonly ModelCall[])[] {
  const steps: ModelCall[][] = [];
  let wasHandshake: boolean | undefined;
  for (const call of calls) {
    const isHandshake = input.policy.handshake.select !== "off" && call.name === input.policy.handshake.tool;
    if (isHandshake === wasHandshake) steps.at(-1)?.push(call);
    else steps.push([call]);
    wasHandshake = isHandshake;
  }
  return steps.length === 0 ? [[]] : steps;
}
