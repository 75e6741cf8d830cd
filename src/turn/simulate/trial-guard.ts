/**
 * An in-memory turns port for one simulated conversation of a new user. It applies the same rules as UserGuard (`applyIntentChange`,
 * `addSelected`, `decideCounted`) to counts that begin at zero. Nothing is stored.
 */
import type { Approval } from "../../approvals/approval.ts";
import { makeCode } from "../../approvals/codes.ts";
import { newId } from "../../lib/ids.ts";
import type { CountedChecks, RateWindow } from "../../policy/facts.ts";
import { type CountedFacts, countedVerdicts, decideCounted } from "../../policy/rules/counted.ts";
import type { CallToDecide, DecidedCall, DecideRequest } from "../../ports/turns/decide-request.ts";
import type { OpenRequest, OpenResult } from "../../ports/turns/open-turn-request.ts";
import type { Question } from "../../ports/turns/question.ts";
import type { TurnsPort } from "../../ports/turns/turns-port.ts";
import { addSelected, applyIntentChange, heldFacts, NO_TASK, type SessionIntents } from "../../session/task.ts";

/** A call that the simulated conversation had before: its result settles it. */
export interface EarlierCall {
  readonly callId: string;
  readonly tool: string;
  readonly families: readonly string[];
}

interface TrialGuard {
  readonly turns: TurnsPort;
  /** The calls in the form in which they came to be decided, in order. */
  readonly brought: readonly CallToDecide[];
}

interface Trial {
  held: SessionIntents;
  readonly earlier: readonly EarlierCall[];
  readonly succeeded: Set<string>;
  readonly read: Set<string>;
  /** Uses so far, by the key of a window or of a limit. */
  readonly uses: Map<string, number>;
  softUses: number;
  ordinal: number;
}

export function trialGuard(now: () => number, earlier: readonly EarlierCall[] = []): TrialGuard {
  const trial: Trial = {
    held: { intents: [], taskState: NO_TASK },
    earlier,
    succeeded: new Set(),
    read: new Set(),
    uses: new Map(),
    softUses: 0,
    ordinal: 0,
  };
  const brought: CallToDecide[] = [];
  return {
    brought,
    turns: {
      open: async (request) => openTrial(trial, request),
      decide: async (request) => {
        if (request.select) select(trial, request.select);
        brought.push(...request.calls);
        return request.calls.map((call) => decideTrial(trial, request, call, now()));
      },
      saveHidden: async () => {},
      close: async () => {},
    },
  };
}

function openTrial(trial: Trial, request: OpenRequest): OpenResult {
  settle(trial, request);
  if (request.newMessage) {
    const next = trial.held.taskState.task + 1;
    trial.held = applyIntentChange(trial.held, request.intents, request.detected, next);
  }
  if (request.untrusted) trial.held = { ...trial.held, taskState: { ...trial.held.taskState, untrusted: true } };
  return {
    session: request.session.id ?? "simulated",
    mode: request.mode,
    fresh: false,
    ...heldFacts(trial.held),
    changedDefinitions: [],
    hidden: [],
    replay: undefined,
    ...(request.history ? { history: { succeeded: [...trial.succeeded], read: [...trial.read] } } : {}),
  };
}

function settle(trial: Trial, { results }: OpenRequest): void {
  for (const { callId, succeeded } of results) {
    const call = trial.earlier.find((one) => one.callId === callId);
    if (!call) continue;
    trial.read.add(call.tool);
    if (!succeeded) continue;
    trial.succeeded.add(call.tool);
    const { taskState } = trial.held;
    const families = [...new Set([...taskState.succeeded, ...call.families])];
    trial.held = { ...trial.held, taskState: { ...taskState, succeeded: families } };
  }
}

function select(trial: Trial, selection: NonNullable<DecideRequest["select"]>): void {
  const { intents, undetected } = addSelected(trial.held, selection.intents, selection);
  trial.held = { intents, taskState: { ...trial.held.taskState, undetected } };
}

function decideTrial(trial: Trial, request: DecideRequest, call: CallToDecide, now: number): DecidedCall {
  const id = newId("dec", now);
  if ((call.effect === "deny" && !call.observe) || call.handshake)
    return { effect: call.effect, reasons: call.reasons, id, ordinal: undefined };
  const counts = countsOf(trial, call.counted, now);
  const verdicts = (askable: boolean) =>
    countedVerdicts(call.tool, call.counted, { ...counts, askable, granted: false });
  const { question } = call;
  if (call.observe) {
    const { decision } = decideCounted(call, verdicts, () => true);
    if (decision.effect !== "deny") reserve(trial, call.counted);
    return { ...decision, id, ordinal: ++trial.ordinal, observed: true };
  }
  const { decision, ask } = decideCounted(call, verdicts, () => question !== undefined && call.digest !== null);
  if (question && ask) {
    const codes = decision.reasons.map(({ code }) => code);
    return { ...decision, id, ordinal: undefined, approval: approvalFor(request, call, question, { id, codes, now }) };
  }
  if (decision.effect !== "allow") return { ...decision, id, ordinal: undefined };
  reserve(trial, call.counted);
  trial.ordinal += 1;
  return { ...decision, id, ordinal: trial.ordinal };
}

const windowKey = ({ key }: RateWindow): string => `window ${key}`;
const limitKey = ({ key }: { readonly key: string }): string => `limit ${key}`;

function countsOf(
  { uses, softUses }: Trial,
  { windows, limits = [] }: CountedChecks,
  now: number,
): Omit<CountedFacts, "askable" | "granted"> {
  const used = (key: string) => uses.get(key) ?? 0;
  return {
    now,
    windows: windows.map((window) => ({ used: used(windowKey(window)), freesAt: now + window.windowMs })),
    limits: limits.map((limit) => used(limitKey(limit))),
    gateOpen: false,
    softUses,
  };
}

/** Several uses under one key count once per call. */
function reserve(trial: Trial, { windows, limits = [], soft }: CountedChecks): void {
  for (const key of new Set([...windows.map(windowKey), ...limits.map(limitKey)]))
    trial.uses.set(key, (trial.uses.get(key) ?? 0) + 1);
  if (soft) trial.softUses += 1;
}

function approvalFor(
  { turn, session }: DecideRequest,
  call: CallToDecide,
  question: Question,
  { id, codes, now }: { readonly id: string; readonly codes: readonly string[]; readonly now: number },
): Approval {
  const { destinations, goesTo } = call.counted.confirmation ?? call.counted.gate ?? {};
  return {
    id: newId("appr", now),
    code: makeCode(Array.from({ length: 5 }, () => Math.random())),
    status: "pending",
    tool: call.tool,
    callId: call.callId,
    session,
    turn,
    decision: id,
    channel: question.channel,
    asks: [...new Set(codes)],
    arguments: call.arguments,
    digest: call.digest ?? "",
    recorded: question.recorded ?? call.recorded,
    extra: call.extra,
    disclosure: question.disclosure,
    schema: question.schema ?? null,
    editable: question.editable,
    grantable: question.grantable,
    endorsable: question.endorsable,
    askedAt: now,
    expiresAt: question.expiresAt,
    answeredAt: null,
    answer: null,
    usedBy: null,
    ...(destinations ? { destinations } : {}),
    ...(goesTo ? { goesTo } : {}),
  };
}
