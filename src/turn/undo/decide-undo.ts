/** Undoing a call in a turn that is open: the same rules, the same transaction, one call. Changes the turn. */
import type { Approval } from "../../approvals/approval.ts";
import type { UndoneCall } from "../../approvals/disclosure/disclosed.ts";
import { newId } from "../../lib/ids.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { isCutShort, redactArguments } from "../../lib/redact.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { traitsOf } from "../../policy/traits.ts";
import { vetCall } from "../../policy/vet.ts";
import type { StoredCall } from "../../ports/calls-port.ts";
import { completeCall, questionFor } from "../confirm/question.ts";
import { factsOf } from "../offer/offer-step.ts";
import { callToDecide, decideCalls } from "../step/decide-calls.ts";
import type { VettedCall } from "../step/vet-step.ts";
import type { Turn, TurnDeps } from "../turn.ts";
import { recordDecisions } from "../turn-log.ts";
import { type UndoCall, undoMoment } from "./undo.ts";

export interface UndoDecided extends VettedCall {
  /** Of the decision. */
  readonly id: string;
}

interface UndoOptions {
  /** The person was asked about it before. */
  readonly approval?: Approval | undefined;
  /** What the request is known by, where the client gave it a name. */
  readonly key?: string | undefined;
}

export async function decideUndo(
  deps: TurnDeps,
  turn: Turn,
  done: StoredCall,
  undo: UndoCall,
  { approval, key }: UndoOptions = {},
): Promise<UndoDecided> {
  const { policy, work } = turn.input;
  const now = deps.now();
  const moment = undoMoment(policy, factsOf(turn, now), turn.tools, undo.tool, turn.input.work);
  const call = {
    id: approval?.callId ?? newId("call", now),
    name: undo.tool,
    arguments: JSON.stringify(undo.arguments),
    extra: undefined,
  };
  const { id, name: tool } = call;
  const first = vetCall(policy, moment.facts, moment.offer, { id, tool, arguments: undo.arguments }, work);
  const { vetted, value } = completeCall(turn, moment, call, first, undo.arguments);
  const question = approval ? undefined : questionFor(turn, now, tool, vetted, value, undoneCall(policy, done));
  const toDecide = {
    ...callToDecide(deps, turn, call, vetted, value),
    undo: { of: done.id, key },
    // With other arguments it would undo something else, or nothing.
    question: question && { ...question, editable: false },
    approval: approval && { id: approval.id },
  };
  const [decided] = await decideCalls(deps, turn, undefined, [toDecide]);
  if (!decided) throw new Error("the undo was left undecided");
  const { effect, reasons } = decided;
  recordDecisions(turn.log, [{ callId: id, tool, effect, reasons, handshake: false }]);
  const { arguments: args, run } = toDecide;
  return { ...decided, call, arguments: args, handshake: false, ...(run ? { run } : {}) };
}

/** As it was recorded, without what the policy redacts by now. What was too long to record is not told. */
function undoneCall(policy: CompiledPolicy, { tool, recorded }: StoredCall): UndoneCall {
  const told = isObject(recorded) && !isCutShort(recorded) ? recorded : {};
  return { tool, arguments: redactArguments(told, traitsOf(policy, tool).redact) };
}
