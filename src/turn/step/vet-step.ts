/** Step 8 of a turn: pure rules first, then one call to UserGuard for what must be counted, all calls together. */

import { argumentsDigest, callDigest } from "../../approvals/call-digest.ts";
import { describeCall, disclosureText } from "../../approvals/disclosure/disclosure.ts";
import { describeError, log } from "../../lib/log.ts";
import { recordedArguments } from "../../lib/redact.ts";
import { withoutSystem } from "../../policy/arguments/system-arguments.ts";
import type { CountedChecks } from "../../policy/facts.ts";
import { readHandshake, trustMatters } from "../../policy/handshake.ts";
import { isObserved } from "../../policy/observe.ts";
import { discloseReasons, type Reason } from "../../policy/reasons.ts";
import { traitsOf } from "../../policy/traits.ts";
import { ALLOWED, denied, type PureDecision } from "../../policy/vet.ts";
import type { DroppedCalls } from "../../ports/model-port.ts";
import type { CallToDecide, DecidedCall, Selection } from "../../ports/turns/decide-request.ts";
import { addSelected } from "../../session/task.ts";
import type { ToolRunner } from "../../tools/tool-runner.ts";
import type { ModelCall } from "../../wire/call-parts.ts";
import { vetComplete } from "../call/complete-call.ts";
import { discloseFor } from "../call/disclose-call.ts";
import { questionFor } from "../confirm/question.ts";
import type { StepOffer } from "../offer/step-offer.ts";
import { taskMessage } from "../open/task-message.ts";
import { stateOf, type Turn } from "../turn.ts";
import type { JudgingDeps } from "../turn-deps.ts";
import { type DecisionNote, recordJudge, recordSelection, updateLog } from "../turn-log.ts";
import { judgeStep } from "./judge-step.ts";
import { type Arguments, readArguments } from "./read-arguments.ts";
import { recordingOf } from "./recorded-names.ts";
import { taintedWritesOf, writtenBy } from "./tainted-writes.ts";
import { type VettedCall, vettedCall } from "./vetted-call.ts";

export interface VettedStep {
  readonly calls: readonly VettedCall[];
  /** What the handshake selected. */
  readonly selected: Selection | undefined;
}

/**
 * Vets the calls of one step.
 * @param annotate completes a call that the model did not make, before UserGuard decides it: adds its maker (`madeBy`). For a step of a
 * plan it also adds the step (`plan`), what an approval of the whole plan covers of it (`plan.covered`: UserGuard then requests no
 * approval), and what the call stores of tainted results (`writes`). See `plan-run/step-call.ts`.
 */
export async function vetStep(
  deps: JudgingDeps,
  turn: Turn,
  step: StepOffer,
  calls: readonly ModelCall[],
  annotate: (call: CallToDecide) => CallToDecide = (call) => call,
): Promise<VettedStep> {
  const now = deps.now();
  const seen = { turn: { ...turn, log: { ...turn.log } }, now, offered: step.offer.offered };
  if (calls.length === 0) {
    recordJudge(turn.log, (candidate) => judgeStep(candidate, { ...seen, calls: [], decided: [] }));
    return { calls: [], selected: undefined };
  }
  const pure = calls.map((call) => judgeByRules(deps, turn, step, call, now));
  const selected = selectionOf(turn, pure);
  const callsToDecide = pure.map(({ toDecide }) => annotate(toDecide));
  const decided = await decideCalls(deps, turn, selected, callsToDecide);
  recordJudge(turn.log, (candidate) => judgeStep(candidate, { ...seen, calls: callsToDecide, decided }));
  return {
    calls: decided.map((decision, index) =>
      vettedCall(decision, calls[index] as ModelCall, callsToDecide[index] as CallToDecide),
    ),
    selected,
  };
}

/** A call after the pure rules. */
interface RuleVerdict {
  /** The intents that a handshake call selects; absent for every other call, and for a refused one. */
  readonly intents?: readonly string[];
  readonly toDecide: CallToDecide;
}

function judgeByRules(deps: JudgingDeps, turn: Turn, step: StepOffer, call: ModelCall, now: number): RuleVerdict {
  const { offer } = step;
  const handshake = call.name === offer.handshake?.name;
  const args = readArguments(call);
  if (!args.ok) {
    const refused = callToDecide(deps, turn, call, denied(args.reason), null, handshake);
    // The gateway must be able to read what it runs.
    return {
      toDecide: handshake || managing(deps, turn, call.name) ? refused : observed(deps, turn, call, refused),
    };
  }
  if (handshake && offer.handshake) {
    const intents = readHandshake(offer.handshake, args.value);
    const vetted = intents.ok ? ALLOWED : denied(intents.error);
    const toDecide = callToDecide(deps, turn, call, vetted, args.value, true);
    return { toDecide, ...(intents.ok ? { intents: intents.value } : {}) };
  }
  const made = withoutSystem(turn.input.policy.tools.get(call.name), args.value);
  const { vetted, value } = vetComplete(turn, step, call, made);
  const refused =
    turn.log.refusedCalls.size > 0 ? turn.log.refusedCalls.get(callKey(deps, turn, call.name, value)) : undefined;
  if (refused) return { toDecide: callToDecide(deps, turn, call, denied(refused), value) };
  if (observes(turn, call.name))
    return { toDecide: observed(deps, turn, call, callToDecide(deps, turn, call, vetted, made)) };
  const question = questionFor(turn, now, call.name, vetted, value);
  return { toDecide: { ...callToDecide(deps, turn, call, vetted, value), question } };
}

/** The user who runs a plan requested its approval: it cannot be only observed. */
const observes = ({ input }: Turn, tool: string): boolean => input.plan === undefined && isObserved(input.policy, tool);

/** The call as the model made it, with the data to run it, even if it is refused. */
function observed(deps: JudgingDeps, turn: Turn, { name }: ModelCall, call: CallToDecide): CallToDecide {
  return observes(turn, name) ? { ...call, observe: true, ...runOf(deps, turn, name) } : call;
}

/** Several handshake calls in one step are one selection. */
function selectionOf(turn: Turn, calls: readonly RuleVerdict[]): Selection | undefined {
  const intents = [...new Set(calls.flatMap((vetted) => vetted.intents ?? []))];
  if (intents.length === 0) return undefined;
  const asks = trustMatters(turn.input.policy);
  return { intents, untrusted: turn.log.untrusted && asks, unasked: asks && taskMessage(turn).requestsNothing() };
}

/** The turn takes over what the handshake selected. UserGuard has stored the same. */
export function holdSelection({ log, opened }: Turn, selection: Selection): void {
  const taskState = { detected: opened.detected, undetected: log.undetected };
  recordSelection(log, addSelected({ intents: log.intents, taskState }, selection.intents, selection));
}

/** @param select what the handshake selected with them. */
export async function decideCalls(
  deps: JudgingDeps,
  turn: Turn,
  select: Selection | undefined,
  calls: readonly CallToDecide[],
): Promise<readonly DecidedCall[]> {
  const { policy } = turn.input;
  const decided = await deps.guard.turns.decide({
    turn: turn.input.id,
    session: turn.opened.session,
    step: turn.log.steps,
    auditContext: {
      role: turn.input.principal.role,
      mode: turn.mode,
      state: stateOf(turn),
      intents: turn.log.intents,
      policy: policy.version,
    },
    select,
    calls,
    logConfirmations: policy.audit.logConfirmations,
    grants: policy.confirmation.grants.enabled,
  });
  if (decided.length !== calls.length) throw new Error("a call was left undecided");
  updateLog(turn.log, { written: [...turn.log.written, ...writtenBy(turn, calls, decided)] });
  return decided.map((one, index) => {
    const call = calls[index];
    return call ? { ...one, reasons: discloseReasons(one.reasons, call.disclosed) } : one;
  });
}

/** Refused calls of one broken step that are recorded; more would add nothing. */
const MAX_RECORDED = 64;

/** The refusals of calls that had begun in a step without an orderly end. */
export const disorderNotes = ({ detail, begun }: DroppedCalls): DecisionNote[] =>
  begun.slice(0, MAX_RECORDED).map((name) => {
    const tool = name.slice(0, 128);
    const reasons: Reason[] = [{ code: "stream_disorderly", tool, detail }];
    return { callId: "", tool, effect: "deny", reasons, handshake: false };
  });

/** Records these refusals. Never rejects, because its caller does not await it. */
export async function recordDisorder(deps: JudgingDeps, turn: Turn, disorder: DroppedCalls): Promise<void> {
  try {
    const calls = disorderNotes(disorder).map(({ tool, reasons }) => {
      const call = { id: "", name: tool, arguments: "", extra: undefined };
      return callToDecide(deps, turn, call, denied(...reasons), null);
    });
    await decideCalls(deps, turn, undefined, calls);
  } catch (error) {
    log("error", "refusals_not_recorded", { turn: turn.input.id, ...describeError(error) });
  }
}

/** @param value the arguments as they were read; null if they could not be read. */
export function callToDecide(
  deps: JudgingDeps,
  turn: Turn,
  call: ModelCall,
  { effect, reasons, counted, origins }: PureDecision,
  value: Arguments | null,
  handshake = false,
): CallToDecide {
  const { policy } = turn.input;
  const traits = traitsOf(policy, call.name);
  const logs = policy.audit.logToolCalls && value !== null;
  const whole = value === null ? null : wholeArguments(deps, turn, call.name, value);
  const { redact, tool: recordedTool, ...names } = recordingOf(turn, call, reasons);
  const recorded = logs && whole !== null ? recordedArguments(whole, redact, names) : null;
  const disclosed = (asks: string) => {
    const own = whole === value ? recorded : logs ? recordedArguments(value, redact, names) : null;
    const shown = own ?? {};
    const suspicious = reasons.flatMap(({ code }) =>
      isAboutArguments(code) || (logs && code === "instructions_found") ? [code] : [],
    );
    const description = { asks: [asks, ...suspicious], shown, recorded: shown };
    return disclosureText(describeCall(discloseFor(turn, traits, reasons), description));
  };
  return {
    callId: call.id,
    tool: call.name,
    recordedTool,
    families: handshake ? [] : [...traits.families],
    arguments: value === null ? call.arguments : JSON.stringify(value),
    extra: call.extra,
    recorded,
    disclosed: {
      firstUse: counted.gate ? disclosed("first_use") : "",
      confirmation: counted.confirmation ? disclosed("confirmation_required") : "",
    },
    digest: whole === null ? null : callDigest(whole, call.extra),
    effect,
    reasons,
    counted: countedFor(turn, counted),
    origins,
    handshake,
    undoable: traits.undo !== undefined,
    ...(effect !== "deny" && !handshake ? runOf(deps, turn, call.name) : {}),
    ...(effect !== "deny" && !handshake && value !== null ? taintedWritesOf(turn, call.name, value) : {}),
  };
}

/** Outside a chat each call is a turn of its own, so a limit per turn counts per task. */
function countedFor({ input }: Turn, counted: CountedChecks): CountedChecks {
  if (!input.toolCall || !counted.limits) return counted;
  return {
    ...counted,
    limits: counted.limits.map((limit) => (limit.per === "turn" ? { ...limit, per: "task" } : limit)),
  };
}

/** A person sees these reasons, whatever else is in the question. */
const isAboutArguments = (code: string): boolean =>
  code === "arguments_suspicious" ||
  code === "argument_untrusted" ||
  code === "intent_undetected" ||
  code === "condition_asks";

const managing = ({ tools }: JudgingDeps, { input }: Turn, tool: string): ToolRunner | undefined =>
  input.managed?.names.has(tool) ? tools : undefined;

/** Includes the arguments that the gateway sets: a person's answer, and the record, are about the call as it runs. */
function wholeArguments(deps: JudgingDeps, turn: Turn, tool: string, value: Arguments): Arguments {
  const runner = managing(deps, turn, tool);
  if (!runner) return value;
  const { principal, sessionId, input } = turn;
  return { ...value, ...runner.systemArguments(input.policy, tool, { principal, session: sessionId }) };
}

/** Digest of a call's final arguments; the digest of a call without vendor members is the same. */
export const digestOf = (deps: JudgingDeps, turn: Turn, tool: string, value: Arguments): string =>
  argumentsDigest(wholeArguments(deps, turn, tool, value));

function runOf(deps: JudgingDeps, turn: Turn, tool: string): Pick<CallToDecide, "run"> {
  const runner = managing(deps, turn, tool);
  return runner ? { run: runner.entry(turn.input.policy, tool, deps.now()) } : {};
}

/** The key of a call in `TurnLog.refusedCalls`. */
export const callKey = (deps: JudgingDeps, turn: Turn, tool: string, value: Arguments): string =>
  `${tool} ${digestOf(deps, turn, tool, value)}`;
